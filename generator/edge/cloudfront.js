(()=>{var x={page:["by","like"],count:["sort","page"]};function d(t,r,e,n){let o=t.problems[r];return{status:o[0],problem:r,detail:e||
o[2],allowed:n||null}}function N(t,r){return{type:r.problem.type.replace(":code",t.problem),title:r.problems[t.problem][1],
status:t.status,detail:t.detail,code:t.problem,allowed:t.allowed,help:r.problem.help}}function $(t){return t.length>80?`${t.
slice(0,80)}…`:t}function w(t,r){return new RegExp(`^(?:${t})$`).test(r)}function C(t,r,e){return r.length<=e.longest.
value&&w(e.patterns[t],r)}function S(t){return!/[,:]|\.\.|%2c|%3a/i.test(t)}function E(t,r){let e={mode:"",q:""};t.tagged&&
r.tags.forEach(n=>{e[n]="slug"});for(let n in t.filters)e[n]=t.filters[n];return x.page.concat(x.count).forEach(n=>{e[n]=
""}),e}function O(t,r){return t.replace(/:([a-z]+)/g,(e,n)=>r[n])}function q(t){return t.replace(/%([0-9A-Fa-f]{2})/g,(r,e)=>{
let n=String.fromCharCode(parseInt(e,16));return/[A-Za-z0-9._~-]/.test(n)?n:r})}function y(t,r){return r.prefix&&t.indexOf(
`${r.prefix}/`)===0?t.slice(r.prefix.length):t}function T(t,r,e,n,o){if(n.methods.indexOf(t)<0)return{status:405,allow:n.
methods};if(t==="OPTIONS")return{status:204,allow:n.methods};let i=q(r),a=y(i,n);for(let u=0;u<n.lists.length;u++){let l=n.
lists[u];if(a===l.root)return L(e,l,n,o);let c=a.indexOf(`${l.root}/`)===0?a.slice(l.root.length+1):"";if(c.length<=n.longest.
slug&&w(n.patterns.slug,c))return e?k(a,n):{status:200,file:l.root+O(n.files.record,{slug:c}),record:l,slug:c}}if(Object.
prototype.hasOwnProperty.call(n.documents,a))return e?k(a,n):{status:200,file:n.documents[a]};let p=a.indexOf("%")>=0;return(p?
y(i.replace(/%2f/gi,"/"),n).toLowerCase():a).indexOf(n.api)===0&&(p||!/[^/]\.[a-z0-9]+$/.test(a))?d(n,"not-found"):{status:200,
file:a}}function k(t,r){return d(r,"unknown-parameter",`${r.prefix}${t} takes no parameters.`)}function L(t,r,e,n){if(!t)
return r.bare?{status:200,file:r.bare}:d(e,"mode-required",`Ask for a page: ${e.prefix}${r.root}?mode=page`);let o=t.split(
"&").map(s=>{let m=s.indexOf("=");return m<0?[s,""]:[s.slice(0,m),s.slice(m+1)]}),i=E(r,e),a=Object.keys(i),p=(s,m)=>n?n.
near(s,m,r,e):m;for(let s=0;s<o.length;s++){if(!o[s][0])return d(e,"invalid-parameter","The query has an empty parameter\
.",a);if(!o[s][1])return d(e,"invalid-parameter",`The parameter "${$(o[s][0])}" has no value.`,a)}for(let s=0;s<o.length;s++)
if(a.indexOf(o[s][0])<0){let m=`There is no parameter "${$(o[s][0])}" here.`;return d(e,"unknown-parameter",m,p(o[s][0],
a))}let f={};for(let s=0;s<o.length;s++){if(f[o[s][0]]!==void 0)return d(e,"repeated-parameter",`The parameter "${o[s][0]}\
" is given more than once.`);f[o[s][0]]=o[s][1]}let u=Object.keys(x);if(u.indexOf(f.mode)<0)return d(e,"mode-required","\
Only mode=page and mode=count are answered.",u);let l=x[f.mode].filter(s=>f[s]!==void 0)[0];if(l)return d(e,"invalid-par\
ameter",`${l} does not go with mode=${f.mode}.`);let c=f.q===void 0?{text:null}:n?n.text(f.q,"q",e):{text:f.q};if(c.fault)
return d(e,"invalid-parameter",c.fault);let g={collection:r.name,mode:f.mode,filters:{},q:c.text},h=f.mode==="page"?_(f,
r,e,p):n?n.count(f,i,r,e):{};if(h.status)return h;for(let s in h)g[s]=h[s];return A(g,f,r,e,i,n)||H(g,r,e,i)}function _(t,r,e,n){
let o=(t.q===void 0?[]:["relevance"]).concat(r.sorts,r.others),i=t.sort||o[0];if(o.indexOf(i)<0)return d(e,"invalid-para\
meter",`There is no sort "${$(i)}" here.`,n(i,o));let a=t.page||"1";return w(e.patterns.page,a)?{sort:t.sort||"",order:i,
page:Number(a)}:d(e,"invalid-parameter","A page is a whole number from 1.")}function j(t,r,e){let n=e.ranged[r],o=n?`: w\
rite ${n.split("..")[0]}, or a range such as ${n}`:"";return`"${t}" has a value that no ${t} can have${o}.`}function A(t,r,e,n,o,i){
let a=Object.keys(o).filter(f=>r[f]!==void 0),p=a.filter(f=>e.fixed[f]&&r[f]!==e.fixed[f].value)[0];if(p)return d(n,"inv\
alid-parameter",`${p} can only be ${e.fixed[p].value}.`,[e.fixed[p].value]);for(let f=0;f<a.length;f++){let u=a[f],l=o[u],
c=r[u];if(e.fixed[u])t.filters[u]=c;else if(l){let h=!i&&(!S(c)||C(l,c,n))?{text:c}:i?i.constraint(u,l,c,n):{};if(!h.text){
let s=h.fault||j(u,l,n),m=d(n,"invalid-parameter",s);return h.about&&(m.about=[e.name].concat(h.about)),m}t.filters[u]=h.
text}}}function H(t,r,e,n){let o=Object.keys(t.filters),i=o[0],a=n[i],p=!i||!a||e.unprepared.indexOf(a)<0&&S(t.filters[i]),
f=i?t.order===r.sorts[0]:r.sorts.indexOf(t.order)>=0;if(t.mode==="count"||t.q!==null||o.length>1||!p||!f){let c=d(e,"uns\
upported-combination");return c.query=t,c}let u={filter:i,value:t.filters[i],sort:t.order,page:t.page};if(r.fixed[i])return{
status:200,file:O(r.fixed[i].file,u),query:t};let l=i?"by":t.order===r.sorts[0]?"plain":"sorted";return{status:200,file:r.
root+O(e.files[l],u),query:t}}function v(t,r){let e=r?{allow:{value:r.join(", ")}}:{};for(let n in table.headers)e[n.toLowerCase()]={value:table.headers[n]};
for(let n in t)e[n.toLowerCase()]={value:t[n]};return e}edge.handler=t=>{let r=t.request,e=T(r.method,r.uri,r.rawQueryString()||
"",table);if(/^\/(_|\.(?!well-known\/))/.test(e.file)&&(e=d(table,"not-found")),e.file){let n=e.record&&table.moved[`${e.
record.name}/${e.slug}`],o=n&&`${table.prefix}${e.record.root}/${n}`,i=e.query?e.query.filters:{};for(let a in i){let p=table.
moved[`${a}s/${i[a]}`];p&&(o=table.prefix+e.file.replace(`/${i[a]}/`,`/${p}/`))}return o?{statusCode:308,statusDescription:"\
Permanent Redirect",headers:v({location:o})}:(r.uri=e.file,r.querystring={},r)}return e.status===204?{statusCode:204,statusDescription:"\
No Content",headers:v(table.preflight,e.allow)}:{statusCode:e.status,statusDescription:e.allow?"Method Not Allowed":table.
problems[e.problem][1],headers:v({"content-type":table.type},e.allow),body:r.method==="HEAD"?"":e.allow?table.not_allowed:
JSON.stringify(N(e,table))}};})();
