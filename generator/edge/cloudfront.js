(()=>{var x={page:["by","like"],count:["sort","page"]};function d(t,r,e,n){let o=t.problems[r];return{status:o[0],problem:r,detail:e||
o[2],allowed:n||null}}function N(t,r){return{type:r.problem.type.replace(":code",t.problem),title:r.problems[t.problem][1],
status:t.status,detail:t.detail,code:t.problem,allowed:t.allowed,help:r.problem.help}}function $(t){return t.length>80?`${t.
slice(0,80)}…`:t}function w(t,r){return new RegExp(`^(?:${t})$`).test(r)}function C(t,r,e){return r.length<=e.longest.
value&&w(e.patterns[t],r)}function S(t){return!/[,:]|\.\.|%2c|%3a/i.test(t)}function E(t,r){let e={mode:"",q:""};t.tagged&&
r.tags.forEach(n=>{e[n]="slug"});for(let n in t.filters)e[n]=t.filters[n];return x.page.concat(x.count).forEach(n=>{e[n]=
""}),e}function O(t,r){return t.replace(/:([a-z]+)/g,(e,n)=>r[n])}function q(t){return t.replace(/%([0-9A-Fa-f]{2})/g,(r,e)=>{
let n=String.fromCharCode(parseInt(e,16));return/[A-Za-z0-9._~-]/.test(n)?n:r})}function y(t,r){return r.prefix&&t.indexOf(
`${r.prefix}/`)===0?t.slice(r.prefix.length):t}function T(t,r,e,n,o){if(n.methods.indexOf(t)<0)return{status:405,allow:n.
methods};if(t==="OPTIONS")return{status:204,allow:n.methods};let i=q(r),f=y(i,n);for(let c=0;c<n.lists.length;c++){let p=n.
lists[c];if(f===p.root)return L(e,p,n,o);let u=f.indexOf(`${p.root}/`)===0?f.slice(p.root.length+1):"";if(u.length<=n.longest.
slug&&w(n.patterns.slug,u))return e?k(f,n):{status:200,file:p.root+O(n.files.record,{slug:u}),record:p,slug:u}}if(Object.
prototype.hasOwnProperty.call(n.documents,f))return e?k(f,n):{status:200,file:n.documents[f]};let l=f.indexOf("%")>=0;return(l?
y(i.replace(/%2f/gi,"/"),n).toLowerCase():f).indexOf(n.api)===0&&(l||!/[^/]\.[a-z0-9]+$/.test(f))?d(n,"not-found"):{status:200,
file:f}}function k(t,r){return d(r,"unknown-parameter",`${r.prefix}${t} takes no parameters.`)}function L(t,r,e,n){if(!t)
return r.bare?{status:200,file:r.bare}:d(e,"mode-required",`Ask for a page: ${e.prefix}${r.root}?mode=page`);let o=t.split(
"&").map(s=>{let m=s.indexOf("=");return m<0?[s,""]:[s.slice(0,m),s.slice(m+1)]}),i=E(r,e),f=Object.keys(i),l=(s,m)=>n?n.
near(s,m,r,e):m;for(let s=0;s<o.length;s++){if(!o[s][0])return d(e,"invalid-parameter","The query has an empty parameter\
.",f);if(!o[s][1])return d(e,"invalid-parameter",`The parameter "${$(o[s][0])}" has no value.`,f)}for(let s=0;s<o.length;s++)
if(f.indexOf(o[s][0])<0){let m=`There is no parameter "${$(o[s][0])}" here.`;return d(e,"unknown-parameter",m,l(o[s][0],
f))}let a={};for(let s=0;s<o.length;s++){if(a[o[s][0]]!==void 0)return d(e,"repeated-parameter",`The parameter "${o[s][0]}\
" is given more than once.`);a[o[s][0]]=o[s][1]}let c=Object.keys(x);if(c.indexOf(a.mode)<0)return d(e,"mode-required","\
Only mode=page and mode=count are answered.",c);let p=x[a.mode].filter(s=>a[s]!==void 0)[0];if(p)return d(e,"invalid-par\
ameter",`${p} does not go with mode=${a.mode}.`);let u=a.q===void 0?{text:null}:n?n.text(a.q,"q",e):{text:a.q};if(u.fault)
return d(e,"invalid-parameter",u.fault);let g={collection:r.name,mode:a.mode,filters:{},q:u.text},h=a.mode==="page"?_(a,
r,e,l):n?n.count(a,i,r,e):{};if(h.status)return h;for(let s in h)g[s]=h[s];return A(g,a,r,e,i,n)||H(g,r,e,i)}function _(t,r,e,n){
let o=(t.q===void 0?[]:["relevance"]).concat(r.sorts,r.others),i=t.sort||o[0];if(o.indexOf(i)<0)return d(e,"invalid-para\
meter",`There is no sort "${$(i)}" here.`,n(i,o));let f=t.page||"1";return w(e.patterns.page,f)?{sort:t.sort||"",order:i,
page:Number(f)}:d(e,"invalid-parameter","A page is a whole number from 1.")}function j(t,r,e){let n=e.ranged[r],o=n?`: w\
rite ${n.split("..")[0]}, or a range such as ${n}`:"";return`"${t}" has a value that no ${t} can have${o}.`}function A(t,r,e,n,o,i){
let f=Object.keys(o).filter(a=>r[a]!==void 0),l=f.filter(a=>e.fixed[a]&&r[a]!==e.fixed[a].value)[0];if(l)return d(n,"inv\
alid-parameter",`${l} can only be ${e.fixed[l].value}.`,[e.fixed[l].value]);for(let a=0;a<f.length;a++){let c=f[a],p=o[c],
u=r[c];if(e.fixed[c])t.filters[c]=u;else if(p){let h=!i&&(!S(u)||C(p,u,n))?{text:u}:i?i.constraint(c,p,u,n):{};if(!h.text){
let s=h.fault||j(c,p,n),m=d(n,"invalid-parameter",s);return h.about&&(m.about=[e.name].concat(h.about)),m}t.filters[c]=h.
text}}}function H(t,r,e,n){let o=Object.keys(t.filters),i=o[0],f=n[i],l=!i||!f||e.unprepared.indexOf(f)<0&&S(t.filters[i]),
a=i?t.order===r.sorts[0]:r.sorts.indexOf(t.order)>=0;if(t.mode==="count"||t.q!==null||o.length>1||!l||!a){let u=d(e,"uns\
upported-combination");return u.query=t,u}let c={filter:i,value:t.filters[i],sort:t.order,page:t.page};if(r.fixed[i])return{
status:200,file:O(r.fixed[i].file,c),query:t};let p=i?"by":t.order===r.sorts[0]?"plain":"sorted";return{status:200,file:r.
root+O(e.files[p],c),query:t}}function v(t,r){let e=r?{allow:{value:r.join(", ")}}:{};for(let n in table.headers)e[n.toLowerCase()]={value:table.headers[n]};
for(let n in t)e[n.toLowerCase()]={value:t[n]};return e}edge.handler=t=>{let r=t.request,e=T(r.method,r.uri,r.rawQueryString()||
"",table);if(/^\/(_|\.(?!well-known\/))/.test(e.file)&&(e=d(table,"not-found")),e.file){let n=e.record&&table.moved[`${e.
record.name}/${e.slug}`],o=n&&`${table.prefix}${e.record.root}/${n}`,i=e.query?e.query.filters:{};for(let l in i){let a=table.
moved[`${l}s/${i[l]}`];a&&(o=table.prefix+e.file.replace(`/${i[l]}/`,`/${a}/`))}if(o)return{statusCode:308,statusDescription:"\
Permanent Redirect",headers:v({location:o})};let f=e.file.indexOf(table.api)!==0&&/^(?:\/[a-z0-9-]+)*\/?$/.test(e.file);
return r.uri=f?e.file.replace(/\/?$/,"/index.html"):e.file,r.querystring={},r}return e.status===204?{statusCode:204,statusDescription:"\
No Content",headers:v(table.preflight,e.allow)}:{statusCode:e.status,statusDescription:e.allow?"Method Not Allowed":table.
problems[e.problem][1],headers:v({"content-type":table.type},e.allow),body:r.method==="HEAD"?"":e.allow?table.not_allowed:
JSON.stringify(N(e,table))}};})();
