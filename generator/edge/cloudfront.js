(()=>{function a(n,r,e,t){let i=n.problems[r];return{status:i[0],problem:r,detail:e||i[2],allowed:t||null}}function _(n,r){return{
type:r.problem.type.replace(":code",n.problem),title:r.problems[n.problem][1],status:n.status,detail:n.detail,code:n.problem,
allowed:n.allowed,help:r.problem.help}}function y(n,r){return new RegExp(`^(?:${n})$`).test(r)}function O(n){return n.length>
80?`${n.slice(0,80)}…`:n}function q(n,r){return n.replace(/:([a-z]+)/g,(e,t)=>r[t])}function E(n){return n.replace(/%([0-9A-Fa-f]{2})/g,
(r,e)=>{let t=String.fromCharCode(parseInt(e,16));return/[A-Za-z0-9._~-]/.test(t)?t:r})}function T(n,r){return r.prefix&&
n.indexOf(`${r.prefix}/`)===0?n.slice(r.prefix.length):n}function A(n,r,e,t,i){if(t.methods.indexOf(n)<0)return{status:405,
allow:t.methods};if(n==="OPTIONS")return{status:204,allow:t.methods};let u=E(r),s=T(u,t);for(let d=0;d<t.lists.length;d++){
let l=t.lists[d];if(s===l.root)return k(e,l,t,i);let p=s.indexOf(`${l.root}/`)===0?s.slice(l.root.length+1):"";if(p.length<=
t.longest.slug&&y(t.patterns.slug,p))return e?L(s,t):{status:200,file:l.root+q(t.files.record,{slug:p}),record:l,slug:p}}
if(Object.prototype.hasOwnProperty.call(t.documents,s))return e?L(s,t):{status:200,file:t.documents[s]};let c=s.indexOf(
"%")>=0;return(c?T(u.replace(/%2f/gi,"/"),t).toLowerCase():s).indexOf(t.api)===0&&(c||!/[^/]\.[a-z0-9]+$/.test(s))?a(t,"\
not-found"):{status:200,file:s}}function L(n,r){return a(r,"unknown-parameter",`${r.prefix}${n} takes no parameters.`)}function k(n,r,e,t){
if(!n)return r.bare?{status:200,file:r.bare}:a(e,"mode-required",`Ask for a page: ${e.prefix}${r.root}?mode=page`);let i=n.
split("&").map(o=>{let f=o.indexOf("=");return f<0?[o,""]:[o.slice(0,f),o.slice(f+1)]}),u=Object.keys(r.parameters);for(let o=0;o<
i.length;o++){if(!i[o][0])return a(e,"invalid-parameter","The query has an empty parameter.",u);if(!i[o][1])return a(e,"\
invalid-parameter",`The parameter "${O(i[o][0])}" has no value.`,u)}for(let o=0;o<i.length;o++)if(u.indexOf(i[o][0])<0)return a(
e,"unknown-parameter",`There is no parameter "${O(i[o][0])}" here.`,u);let s={};for(let o=0;o<i.length;o++){if(s[i[o][0]]!==
void 0)return a(e,"repeated-parameter",`The parameter "${i[o][0]}" is given more than once.`);s[i[o][0]]=i[o][1]}if(s.mode!==
"page")return a(e,"mode-required","Only mode=page is answered.",["page"]);let c=s.q!==void 0,$=c&&t?t(s.q):{text:c?s.q:null};
if($.fault)return a(e,"invalid-parameter",$.fault);let d=c?["relevance"].concat(r.sorts):r.sorts,l=s.sort||d[0];if(d.indexOf(
l)<0)return a(e,"invalid-parameter",`There is no sort "${O(l)}" here.`,d);let p=s.page||"1";if(!y(e.patterns.page,p))return a(
e,"invalid-parameter","A page is a whole number from 1.");let x={},m=u.filter(o=>s[o]!==void 0&&(r.parameters[o]||r.fixed[o]));
for(let o=0;o<m.length;o++){let f=m[o],v=s[f],g=r.fixed[f];if(g&&v!==g.value)return a(e,"invalid-parameter",`${f} can on\
ly be ${g.value}.`,[g.value]);if(!g&&(v.length>e.longest.value||!y(e.patterns[r.parameters[f]],v)))return a(e,"invalid-p\
arameter",`"${f}" has a value that no ${f} can have.`);x[f]=v}let S=l===r.sorts[0],w={collection:r.name,filters:x,sort:s.
sort||"",order:l,q:$.text,page:Number(p)};if(c||m.length>1||m.length&&!S){let o=a(e,"unsupported-combination");return o.
query=w,o}let h=m[0],C={filter:h,value:x[h],sort:l,page:p};return r.fixed[h]?{status:200,file:q(r.fixed[h].file,C),query:w}:
{status:200,file:r.root+q(e.files[h?"by":S?"plain":"sorted"],C),query:w}}function N(n,r){let e=r?{allow:{value:r.join(", ")}}:{};for(let t in table.headers)e[t.toLowerCase()]={value:table.headers[t]};
for(let t in n)e[t.toLowerCase()]={value:n[t]};return e}edge.handler=n=>{let r=n.request,e=A(r.method,r.uri,r.rawQueryString()||
"",table);if(/^\/(_|\.(?!well-known\/))/.test(e.file)&&(e=a(table,"not-found")),e.file){let t=e.record&&table.moved[`${e.
record.name}/${e.slug}`],i=t&&`${table.prefix}${e.record.root}/${t}`,u=e.query?e.query.filters:{};for(let s in u){let c=table.
moved[`${s}s/${u[s]}`];c&&(i=table.prefix+e.file.replace(`/${u[s]}/`,`/${c}/`))}return i?{statusCode:308,statusDescription:"\
Permanent Redirect",headers:N({location:i})}:(r.uri=e.file,r.querystring={},r)}return e.status===204?{statusCode:204,statusDescription:"\
No Content",headers:N(table.preflight,e.allow)}:{statusCode:e.status,statusDescription:e.allow?"Method Not Allowed":table.
problems[e.problem][1],headers:N({"content-type":table.type},e.allow),body:r.method==="HEAD"?"":e.allow?table.not_allowed:
JSON.stringify(_(e,table))}};})();
