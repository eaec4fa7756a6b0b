(()=>{var g={page:["by","like"],count:["sort","page"]};function l(t,r,e,n){let o=t.problems[r];return{status:o[0],problem:r,detail:e||
o[2],allowed:n||null}}function k(t,r){return{type:r.problem.type.replace(":code",t.problem),title:r.problems[t.problem][1],
status:t.status,detail:t.detail,code:t.problem,allowed:t.allowed,help:r.problem.help}}function x(t){return t.length>80?`${t.
slice(0,80)}…`:t}function $(t,r){return new RegExp(`^(?:${t})$`).test(r)}function T(t,r,e){return r.length<=e.longest.
value&&$(e.patterns[t],r)}function N(t){return!/[,:]|\.\.|%2c|%3a/i.test(t)}function C(t,r){let e={mode:"",q:""};t.tagged&&
r.tags.forEach(n=>{e[n]="slug"});for(let n in t.filters)e[n]=t.filters[n];return g.page.concat(g.count).forEach(n=>{e[n]=
""}),e}function O(t,r){return t.replace(/:([a-z]+)/g,(e,n)=>r[n])}function E(t){return t.replace(/%([0-9A-Fa-f]{2})/g,(r,e)=>{
let n=String.fromCharCode(parseInt(e,16));return/[A-Za-z0-9._~-]/.test(n)?n:r})}function v(t,r){return r.prefix&&t.indexOf(
`${r.prefix}/`)===0?t.slice(r.prefix.length):t}function S(t,r,e,n,o){if(n.methods.indexOf(t)<0)return{status:405,allow:n.
methods};if(t==="OPTIONS")return{status:204,allow:n.methods};let i=E(r),a=v(i,n);for(let u=0;u<n.lists.length;u++){let d=n.
lists[u];if(a===d.root)return q(e,d,n,o);let c=a.indexOf(`${d.root}/`)===0?a.slice(d.root.length+1):"";if(c.length<=n.longest.
slug&&$(n.patterns.slug,c))return e?y(a,n):{status:200,file:d.root+O(n.files.record,{slug:c}),record:d,slug:c}}if(Object.
prototype.hasOwnProperty.call(n.documents,a))return e?y(a,n):{status:200,file:n.documents[a]};let f=a.indexOf("%")>=0;return(f?
v(i.replace(/%2f/gi,"/"),n).toLowerCase():a).indexOf(n.api)===0&&(f||!/[^/]\.[a-z0-9]+$/.test(a))?l(n,"not-found"):{status:200,
file:a}}function y(t,r){return l(r,"unknown-parameter",`${r.prefix}${t} takes no parameters.`)}function q(t,r,e,n){if(!t)
return r.bare?{status:200,file:r.bare}:l(e,"mode-required",`Ask for a page: ${e.prefix}${r.root}?mode=page`);let o=t.split(
"&").map(s=>{let h=s.indexOf("=");return h<0?[s,""]:[s.slice(0,h),s.slice(h+1)]}),i=C(r,e),a=Object.keys(i);for(let s=0;s<
o.length;s++){if(!o[s][0])return l(e,"invalid-parameter","The query has an empty parameter.",a);if(!o[s][1])return l(e,"\
invalid-parameter",`The parameter "${x(o[s][0])}" has no value.`,a)}for(let s=0;s<o.length;s++)if(a.indexOf(o[s][0])<0)return l(
e,"unknown-parameter",`There is no parameter "${x(o[s][0])}" here.`,a);let f={};for(let s=0;s<o.length;s++){if(f[o[s][0]]!==
void 0)return l(e,"repeated-parameter",`The parameter "${o[s][0]}" is given more than once.`);f[o[s][0]]=o[s][1]}let p=Object.
keys(g);if(p.indexOf(f.mode)<0)return l(e,"mode-required","Only mode=page and mode=count are answered.",p);let u=g[f.mode].
filter(s=>f[s]!==void 0)[0];if(u)return l(e,"invalid-parameter",`${u} does not go with mode=${f.mode}.`);let d=f.q===void 0?
{text:null}:n?n.text(f.q,"q",e):{text:f.q};if(d.fault)return l(e,"invalid-parameter",d.fault);let c={collection:r.name,mode:f.
mode,filters:{},q:d.text},m=f.mode==="page"?L(f,r,e):n?n.count(f,i,e):{};if(m.status)return m;for(let s in m)c[s]=m[s];return _(
c,f,r,e,i,n)||j(c,r,e,i)}function L(t,r,e){let n=(t.q===void 0?[]:["relevance"]).concat(r.sorts,r.others),o=t.sort||n[0];
if(n.indexOf(o)<0)return l(e,"invalid-parameter",`There is no sort "${x(o)}" here.`,n);let i=t.page||"1";return $(e.patterns.
page,i)?{sort:t.sort||"",order:o,page:Number(i)}:l(e,"invalid-parameter","A page is a whole number from 1.")}function _(t,r,e,n,o,i){
let a=Object.keys(o).filter(p=>r[p]!==void 0),f=a.filter(p=>e.fixed[p]&&r[p]!==e.fixed[p].value)[0];if(f)return l(n,"inv\
alid-parameter",`${f} can only be ${e.fixed[f].value}.`,[e.fixed[f].value]);for(let p=0;p<a.length;p++){let u=a[p],d=o[u],
c=r[u];if(e.fixed[u])t.filters[u]=c;else if(d){let s=!i&&(!N(c)||T(d,c,n))?{text:c}:i?i.constraint(u,d,c,n):{};if(!s.text){
let h=s.fault||`"${u}" has a value that no ${u} can have.`;return l(n,"invalid-parameter",h)}t.filters[u]=s.text}}}function j(t,r,e,n){
let o=Object.keys(t.filters),i=o[0],a=n[i],f=!i||!a||e.unprepared.indexOf(a)<0&&N(t.filters[i]),p=i?t.order===r.sorts[0]:
r.sorts.indexOf(t.order)>=0;if(t.mode==="count"||t.q!==null||o.length>1||!f||!p){let c=l(e,"unsupported-combination");return c.
query=t,c}let u={filter:i,value:t.filters[i],sort:t.order,page:t.page};if(r.fixed[i])return{status:200,file:O(r.fixed[i].
file,u),query:t};let d=i?"by":t.order===r.sorts[0]?"plain":"sorted";return{status:200,file:r.root+O(e.files[d],u),query:t}}function w(t,r){let e=r?{allow:{value:r.join(", ")}}:{};for(let n in table.headers)e[n.toLowerCase()]={value:table.headers[n]};
for(let n in t)e[n.toLowerCase()]={value:t[n]};return e}edge.handler=t=>{let r=t.request,e=S(r.method,r.uri,r.rawQueryString()||
"",table);if(/^\/(_|\.(?!well-known\/))/.test(e.file)&&(e=l(table,"not-found")),e.file){let n=e.record&&table.moved[`${e.
record.name}/${e.slug}`],o=n&&`${table.prefix}${e.record.root}/${n}`,i=e.query?e.query.filters:{};for(let a in i){let f=table.
moved[`${a}s/${i[a]}`];f&&(o=table.prefix+e.file.replace(`/${i[a]}/`,`/${f}/`))}return o?{statusCode:308,statusDescription:"\
Permanent Redirect",headers:w({location:o})}:(r.uri=e.file,r.querystring={},r)}return e.status===204?{statusCode:204,statusDescription:"\
No Content",headers:w(table.preflight,e.allow)}:{statusCode:e.status,statusDescription:e.allow?"Method Not Allowed":table.
problems[e.problem][1],headers:w({"content-type":table.type},e.allow),body:r.method==="HEAD"?"":e.allow?table.not_allowed:
JSON.stringify(k(e,table))}};})();
