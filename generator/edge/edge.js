(()=>{var j;function ve(e){let t=(u,g)=>u?u.split(g).map(a=>parseInt(a,36)):[],n=u=>Uint32Array.from(t(u," "),(g=>a=>g+=a)(0)),
r=new Map,o=0;for(let u of e.folds.split(";")){let[,g,a,h,f,w]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(u),y=t(w,"+");o+=parseInt(
g,36);for(let l=0,p=o;l<parseInt(a||"1",36);l++,p+=h?2:1)r.set(p,String.fromCodePoint(...f==="="?y:[p+y[0]]))}let{composed:s,
letters:i,signs:c,paired:d}=e;return{folds:r,composed:n(s),letters:n(i),signs:n(c),paired:n(d)}}function N(e,t){let[n,r]=[
0,e.length];for(;n<r;){let o=n+r>>1;e[o]<=t?n=o+1:r=o}return n%2===1}function Ae(e,t){if(!/[^\0-\x7f]/.test(e))return e.
toLowerCase();j??=ve(t.folding);let n=r=>j.folds.get(r.codePointAt(0))??r;return Array.from(e,r=>{let o=r.codePointAt(0);
return o<128?r.toLowerCase():j.folds.has(o)||!N(j.composed,o)?n(r):Array.from(r.normalize("NFKD"),n).join("")}).join("")}
function Q(e,t){let n=o=>{let s=o.codePointAt(0);return s===39||s===8217?"'":(s<128?/[a-z0-9]/.test(o):N(j.letters,s))?o:
" "};return Array.from(Ae(e,t),n).join("").replace(/''+/g," ").replace(/'/g,"").split(" ").flatMap(Te)}function Te(e){let t=[],
n;for(let r of e){let o=r.codePointAt(0);if(!t.length&&o>127&&N(j.signs,o))continue;let s=ee(o);s===n?t.push(t.pop()+r):
t.push(r),n=s}return t}var ee=e=>e>127&&N(j.paired,e);function te(e,t){return Q(e,t).flatMap(n=>{let r=Array.from(n);return r.
length<3||!ee(r[0].codePointAt(0))?[n]:r.slice(1).map((o,s)=>r[s]+o)})}function B(e,t,n){let{characters:r,words:o}=n.text,s=/%(?![0-9A-Fa-f]{2})/g,i;try{i=decodeURIComponent(e.replace(/\+/g,"\
 ").replace(s,"%25"))}catch{i="�"}if(i.includes("�"))return{fault:`${t} is not percent-encoded UTF-8.`};if(e.search(
s)>=0||[...i].length>r)return{fault:`${t} is percent-encoded text of at most ${r} characters.`};let c=Q(i,n).length;return c>=
1&&c<=o?{text:i}:{fault:`${t} has 1 to ${o} words of letters and digits.`}}var z={page:["by","like"],count:["sort","page"]};function x(e,t,n,r){let o=e.problems[t];return{status:o[0],problem:t,detail:n||
o[2],allowed:r||null}}function se(e,t){return{type:t.problem.type.replace(":code",e.problem),title:t.problems[e.problem][1],
status:e.status,detail:e.detail,code:e.problem,allowed:e.allowed,help:t.problem.help}}function J(e){return e.length>80?`${e.
slice(0,80)}…`:e}function F(e,t){return new RegExp(`^(?:${e})$`).test(t)}function G(e,t,n){return t.length<=n.longest.
value&&F(n.patterns[e],t)}function R(e){return!/[,:]|\.\.|%2c|%3a/i.test(e)}function je(e,t){let n={mode:"",q:""};e.tagged&&
t.tags.forEach(r=>{n[r]="slug"});for(let r in e.filters)n[r]=e.filters[r];return z.page.concat(z.count).forEach(r=>{n[r]=
""}),n}function b(e,t){return e.replace(/:([a-z]+)/g,(n,r)=>t[r])}function Se(e){return e.replace(/%([0-9A-Fa-f]{2})/g,(t,n)=>{
let r=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(r)?r:t})}function ne(e,t){return t.prefix&&e.indexOf(
`${t.prefix}/`)===0?e.slice(t.prefix.length):e}function oe(e,t,n,r,o){if(r.methods.indexOf(e)<0)return{status:405,allow:r.
methods};if(e==="OPTIONS")return{status:204,allow:r.methods};let s=Se(t),i=ne(s,r);for(let u=0;u<r.lists.length;u++){let g=r.
lists[u];if(i===g.root)return Me(n,g,r,o);let a=i.indexOf(`${g.root}/`)===0?i.slice(g.root.length+1):"";if(a.length<=r.longest.
slug&&F(r.patterns.slug,a))return n?re(i,r):{status:200,file:g.root+b(r.files.record,{slug:a}),record:g,slug:a}}if(Object.
prototype.hasOwnProperty.call(r.documents,i))return n?re(i,r):{status:200,file:r.documents[i]};let c=i.indexOf("%")>=0;return(c?
ne(s.replace(/%2f/gi,"/"),r).toLowerCase():i).indexOf(r.api)===0&&(c||!/[^/]\.[a-z0-9]+$/.test(i))?x(r,"not-found"):{status:200,
file:i}}function re(e,t){return x(t,"unknown-parameter",`${t.prefix}${e} takes no parameters.`)}function Me(e,t,n,r){if(!e)
return t.bare?{status:200,file:t.bare}:x(n,"mode-required",`Ask for a page: ${n.prefix}${t.root}?mode=page`);let o=e.split(
"&").map(f=>{let w=f.indexOf("=");return w<0?[f,""]:[f.slice(0,w),f.slice(w+1)]}),s=je(t,n),i=Object.keys(s);for(let f=0;f<
o.length;f++){if(!o[f][0])return x(n,"invalid-parameter","The query has an empty parameter.",i);if(!o[f][1])return x(n,"\
invalid-parameter",`The parameter "${J(o[f][0])}" has no value.`,i)}for(let f=0;f<o.length;f++)if(i.indexOf(o[f][0])<0)return x(
n,"unknown-parameter",`There is no parameter "${J(o[f][0])}" here.`,i);let c={};for(let f=0;f<o.length;f++){if(c[o[f][0]]!==
void 0)return x(n,"repeated-parameter",`The parameter "${o[f][0]}" is given more than once.`);c[o[f][0]]=o[f][1]}let d=Object.
keys(z);if(d.indexOf(c.mode)<0)return x(n,"mode-required","Only mode=page and mode=count are answered.",d);let u=z[c.mode].
filter(f=>c[f]!==void 0)[0];if(u)return x(n,"invalid-parameter",`${u} does not go with mode=${c.mode}.`);let g=c.q===void 0?
{text:null}:r?r.text(c.q,"q",n):{text:c.q};if(g.fault)return x(n,"invalid-parameter",g.fault);let a={collection:t.name,mode:c.
mode,filters:{},q:g.text},h=c.mode==="page"?_e(c,t,n):r?r.count(c,s,n):{};if(h.status)return h;for(let f in h)a[f]=h[f];
return Ue(a,c,t,n,s,r)||Ee(a,t,n,s)}function _e(e,t,n){let r=(e.q===void 0?[]:["relevance"]).concat(t.sorts,t.others),o=e.
sort||r[0];if(r.indexOf(o)<0)return x(n,"invalid-parameter",`There is no sort "${J(o)}" here.`,r);let s=e.page||"1";return F(
n.patterns.page,s)?{sort:e.sort||"",order:o,page:Number(s)}:x(n,"invalid-parameter","A page is a whole number from 1.")}
function Ue(e,t,n,r,o,s){let i=Object.keys(o).filter(d=>t[d]!==void 0),c=i.filter(d=>n.fixed[d]&&t[d]!==n.fixed[d].value)[0];
if(c)return x(r,"invalid-parameter",`${c} can only be ${n.fixed[c].value}.`,[n.fixed[c].value]);for(let d=0;d<i.length;d++){
let u=i[d],g=o[u],a=t[u];if(n.fixed[u])e.filters[u]=a;else if(g){let f=!s&&(!R(a)||G(g,a,r))?{text:a}:s?s.constraint(u,g,
a,r):{};if(!f.text){let w=f.fault||`"${u}" has a value that no ${u} can have.`;return x(r,"invalid-parameter",w)}e.filters[u]=
f.text}}}function Ee(e,t,n,r){let o=Object.keys(e.filters),s=o[0],i=r[s],c=!s||!i||n.unprepared.indexOf(i)<0&&R(e.filters[s]),
d=s?e.order===t.sorts[0]:t.sorts.indexOf(e.order)>=0;if(e.mode==="count"||e.q!==null||o.length>1||!c||!d){let a=x(n,"uns\
upported-combination");return a.query=e,a}let u={filter:s,value:e.filters[s],sort:e.order,page:e.page};if(t.fixed[s])return{
status:200,file:b(t.fixed[s].file,u),query:e};let g=s?"by":e.order===t.sorts[0]?"plain":"sorted";return{status:200,file:t.
root+b(n.files[g],u),query:e}}function ie(e){return e.replace(/%(?:2[BbCc]|3[Aa])/g,t=>String.fromCharCode(parseInt(t.slice(1),16)))}function Ne(e){let t=/^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.
exec(e),n=t[2]+(t[3]?`.${t[3]}`:"");return n==="0"?"0":t[1]+n+(t[5]?`e${t[4]==="-"?"-":""}${t[5]}`:"")}function ze(e,t,n,r){
let o=ie(n),s=r.asked.values,i=l=>({fault:`"${e}" ${l}.`}),c=l=>!G(t,l,r),d=l=>t==="number"?Ne(l):l,u=`has a value that \
no ${e} can have`,g=o.indexOf("..");if(g>=0&&r.asked.ranged.includes(t)){let l=[o.slice(0,g),o.slice(g+2)];if(!l[0]&&!l[1])
return i("has a range with neither end");if(l.some(k=>k&&c(k)))return i(u);let p=l[0]?d(l[0]):null,m=l[1]?d(l[1]):null,$=t===
"number"?Number(p)>Number(m):p>m;return p!==null&&m!==null&&$?i("has a range that ends before it begins"):{how:"range",low:p,
high:m,text:`${p??""}..${m??""}`}}let a=/^(?:all|not):/.test(o)?o.slice(0,3):"any",h=(a==="any"?o:o.slice(4)).split(",");
if(h.some(c))return i(u);let f=h.map(d).sort(),w=f.filter((l,p)=>l!==f[p-1]);if(w.length>s)return i(`takes at most ${s} \
different values`);let y=w.join(",");return a==="not"||a==="all"&&w.length>1?{how:a,values:w,text:`${a}:${y}`}:{how:"any",
values:w,text:y}}function Re(e,t,n){let r=Object.keys(t).filter(c=>t[c]),o=e.by===void 0?[]:ie(e.by).split(",");if(o.length>
n.asked.by||o.some((c,d)=>!r.includes(c)||o.indexOf(c)<d))return x(n,"invalid-parameter",`by names at most ${n.asked.by}\
 different filters.`,r);if(e.like===void 0)return{by:o,like:null};if(!o.length)return x(n,"invalid-parameter","like goes\
 with by, whose values it is about.");let{text:s,fault:i}=B(e.like,"like",n);return i?x(n,"invalid-parameter",i):{by:o,like:s}}
var ce={text:B,constraint:ze,count:Re};function C(e,t,n){return x(n,"not-found",`There is no page ${e}: the list has ${t} page${t===1?"":"s"}.`)}function I(e,t,n,r){
let{root:o}=r.lists.find(({name:i})=>i===e),s=r.prefix+o+b(r.files.values,{filter:t});return x(r,"not-found",`No ${r.kinds[e]}\
 has the ${t} "${n}"; ${s} lists its values.`)}function Ce(e,t,n,r){return oe(e,t,n,r,ce)}function ae(e,t){let n=new URL(t);return n.pathname=e,n.search="",n}async function le(e,t,n,r){
let{pathname:o,search:s}=new URL(e.url),i=Ce(e.method,o,s.slice(1),n),c=e.method==="HEAD";if(i.allow)return Le(i,n);if(i.
problem&&i.query&&r)return Ie(i.query,e,t,n,r);if(i.problem)return V(i,n,c);let d=i.file.startsWith(n.api),u=i.record||i.
query&&(i.query.filters.program||i.query.filters.organization),g=u?"GET":e.method,a=i.file.includes("//")?new Response(null,
{status:404}):await t(i.file,{method:g,headers:e.headers,redirect:"manual"});if(!d&&a.status!==404)return a;if(!d){let w=await t(
n.missing,{method:e.method}),{body:y,headers:l}=w.ok?w:a;return new Response(c?null:y,{status:404,headers:l})}if(a.status===
404){let w=l=>fe(l,e,t),y=await Pe(i,w,n);return y?new Response(null,{status:308,headers:{...n.headers,location:y}}):V(await qe(
i,w,n),n,c)}let h=new Headers(a.headers);for(let[w,y]of Object.entries(n.headers))h.set(w,y);(a.ok||a.status===304)&&h.set(
"content-location",n.prefix+i.file);let f=c||a.status===304?null:a.body;if(u&&a.ok){let w=await a.text();if(ue(w)){let{links:y,
data:l}=JSON.parse(w),p=i.record?`${n.prefix}${i.record.root}/${l.replaced_by}`:y.replaced_by;return new Response(null,{
status:308,headers:{...n.headers,location:p}})}f=c?null:w}return new Response(f,{status:a.status,headers:h})}async function Ie(e,t,n,r,o){
let s=t.headers.get("if-none-match")??"",i=h=>(s.match(/"[^"]*"/g)??[]).includes(h),c=t.method==="HEAD",{body:d,etag:u,...g}=await o(
e,h=>fe(h,t,n),r,i);if(!u)return V(g,r,c);let a={...r.headers,etag:u};return!d||s.trim()==="*"?new Response(null,{status:304,
headers:a}):new Response(c?null:d,{headers:{...a,"content-type":r.json}})}async function fe(e,t,n){let r=new Headers(t.headers),
o=["if-match","if-none-match","if-modified-since","if-unmodified-since","if-range"];for(let c of[...o,"range","accept-en\
coding"])r.delete(c);let s=await n(e,{headers:r}),i=await s.arrayBuffer();return s.ok?new Uint8Array(i):null}function ue(e){
return e.slice(0,99).includes('"kind":"moved"')}async function Pe(e,t,n){let[r,o]=Object.entries(e.query&&e.query.filters||
{})[0]||[],s=n.lists.find(({name:d})=>n.kinds[d]===r),i=s&&await t(s.root+b(n.files.record,{slug:o})),c=i&&new TextDecoder().
decode(i);if(!(!c||!ue(c)))return n.prefix+e.file.replace(`/${r}/${o}/`,`/${r}/${JSON.parse(c).data.replaced_by}/`)}async function qe(e,t,n){
if(e.record)return x(n,"not-found",`There is no ${n.kinds[e.record.name]} "${e.slug}".`);if(!e.query)return x(n,"not-fou\
nd");let{collection:r,filters:o,page:s}=e.query,i=await t(e.file.replace(/[0-9]+(?=\.json$)/,"1")),c=i?De(i):0;if(c&&s>c)
return C(s,c,n);let d=Object.entries(o).filter(([u])=>!n.lists.some(g=>u in g.fixed));return!i&&d.length?I(r,...d[0],n):
{...n.unavailable,detail:`The build is damaged: ${e.file} is missing. Build it again.`}}function De(e){try{return JSON.parse(
new TextDecoder().decode(e)).page.total_pages}catch{return 0}}function V(e,t,n){let r={...t.headers,...e.headers,"conten\
t-type":t.type},{status:o,title:s,detail:i}=e,c=e.problem?se(e,t):{type:"about:blank",title:s,status:o,detail:i};return new Response(
n?null:`${JSON.stringify(c)}
`,{status:o,headers:r})}function Le(e,t){let n={...t.headers,allow:e.allow.join(", ")};return e.status===204?new Response(
null,{status:204,headers:{...n,...t.preflight}}):new Response(`${t.not_allowed}
`,{status:e.status,headers:{...n,"content-type":t.type}})}var S=class extends Error{},O=class extends Error{},[M,K]=[new TextEncoder,new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0})],
de=`,"check":"00000000"}
`;function he(e,t){let n=0;for(;n<e.length&&e[n]===t[n];)n++;return n<e.length&&n<t.length?e[n]-t[n]:e.length-t.length}function P(e,t,n){
let r=new Uint32Array(n+2);for(let s=0;s<e.length;s++)r[t(e[s])+1]++;for(let s=1;s<r.length;s++)r[s]+=r[s-1];let o=new Uint32Array(
e.length);for(let s=0;s<e.length;s++)o[r[t(e[s])]++]=e[s];return o}function q(e,t){if(e.length%t)throw new O;let n=e.byteOffset%
t?e.slice():e;return new(t===2?Uint16Array:Uint32Array)(n.buffer,n.byteOffset,n.length/t)}function pe(e){if(typeof e!="s\
tring"||!/^[A-Za-z0-9+/]*={0,2}$/.test(e))throw new O;let t=atob(e),n=new Uint8Array(t.length);for(let r=0;r<n.length;r++)
n[r]=t.charCodeAt(r);return n}function D(e){let t=e.indexOf(10)+1;return e.subarray(t,Math.max(t,e.lastIndexOf(10,e.length-
2)))}function me(e,t,n){let r=[];for(let o=0,s;o<=e.length;o=s+1){s=e.indexOf(10,o),s<0&&(s=e.length);let i=t&&s<e.length;
if(r.length===n||i&&e[s-1]!==44)throw new O;r.push(e.subarray(o,s-i))}if(r.length!==n)throw new O;return r}function ge(e,t){
return e.length===t.length&&e.every((n,r)=>n===t[r])}function we(e){let t=e.length-de.length,n=_(e.subarray(0,t)).toString(
16).padStart(8,"0");return t>0&&K.decode(e.subarray(t))===de.replace("00000000",n)}var v=new Uint32Array(1024);for(let e=0;e<
256;e++){let t=e;for(let n=0;n<8;n++)t=t&1?t>>>1^3988292384:t>>>1;v[e]=t}for(let e=256;e<1024;e++)v[e]=v[e-256]>>>8^v[v[e-
256]&255];function _(e){let[t,n]=[-1,0];for(let r=e.length-3;n<r;n+=4)t^=e[n]|e[n+1]<<8|e[n+2]<<16|e[n+3]<<24,t=v[768+(t&
255)]^v[512+(t>>>8&255)]^v[256+(t>>>16&255)]^v[t>>>24];for(;n<e.length;n++)t=t>>>8^v[(t^e[n])&255];return~t>>>0}function ye(e,t,n,r){let o=[...e],s=r.index.prefix;if(o.length<s)return[t(e),e,!1];let i=()=>o.slice(0,s).join("");for(;n.
has(i())&&s<o.length;)s+=1;return n.has(i())?[t(i()),`*${e}`,!1]:[t(i()),e,!0]}function xe(e,t,n,r){let o=new Uint8Array(
r),[s,i,c,d]=[0,0,!1,e.subarray(0,0)],u=()=>{let a=0;for(let h=1;h<=2**28;h*=128){let f=e[s++];if(a+=(f&127)*h,f<128)return a}
throw new O},g=(a,h)=>{if(a>=r)throw new O;o[a]||i++,(!o[a]||o[a]>h)&&(o[a]=h)};for(;s<e.length;){let a=u(),h=e.subarray(
s,s+a);s+=a;let f=u()+s;if(f>e.length||he(d,h)>=0)throw new O;d=h;let w=a===t.length||n&&a>t.length;for(let y=0;w&&y<t.length;y++)
w=h[y]===t[y];c||=w;for(let y=1;w&&s<f;){let l=(e[s]&3)+1,p=e[s++]>>2,m=u(),$=m*(p||1)+s;if(l<y||l>3||![0,1,2,4].includes(
p)||!m||$>f)throw new O;if(p&&m>r)throw new O;y=l+1;for(let k=0;p&&s<$;s+=p)k+=e[s],p>1&&(k+=e[s+1]<<8),p>2&&(k+=(e[s+2]<<
16)+e[s+3]*2**24),g(k,l);for(let k=0;s<$;k+=8)for(let E=k,H=e[s++];H;E++,H>>=1)H&1&&g(E,l)}s=f}return c?{ranks:o,count:i}:
null}async function $e(e,t,n){let{rows:r,size:o,pages_a_block:s,checks:i}=n,c=l=>t.list.root+b(t.table.files.plain,{page:l}),
d=([l,p])=>l==="pages"?c(p+1):t.path(l,p),u=Object.entries({rows:r,pages:o,blocks:o*s}).filter(([,l])=>l),g=We(e,u,t.most.
reads-t.reads),a=[...new Map(g.map(l=>[d(l),l]))],h=a.reduce((l,[,[p,m]])=>l+(p==="blocks"?n.block_bytes[m]:0),0),f=await t.
files(a.map(([l,[p,m]])=>[l,i[p][m]]),h),w=(l,[p,m,$])=>{let k=p==="pages",E=k?D(l):l.subarray(0,l.length-(l[l.length-1]===
10));return me(E,k,Math.min($,n.count-m*$))},y=new Map(a.map(([l,p])=>[l,w(f.get(l),p)]));return g.map((l,p)=>y.get(d(l))[e[p]%
l[2]])}function We(e,[[t,n],...r],o){let s=Array.from(e,c=>[t,Math.floor(c/n),n]),i=c=>new Set(c.map(([d,u])=>`${d} ${u}`));
for(let[c,d]of r){let u=new Map;s.forEach((a,h)=>{let f=Math.floor(e[h]/d);u.set(f,[...u.get(f)??[],a])});let g=[...u].map(
([a,h])=>[a,i(h).size]).sort(([a,h],[f,w])=>w-h||a-f);for(let[a,h]of g){if(i(s).size<=o||h<2)break;s=s.map((f,w)=>Math.floor(
e[w]/d)===a?[c,a,d]:f)}}return s}function Z({collection:e,q:t,filters:n,sort:r},o,s){let i=["mode=page"];t!==null&&i.push(
`q=${He(t)}`);for(let[c,d]of Object.entries(n))i.push(`${c}=${d}`);return r&&i.push(`sort=${r}`),o!==1&&i.push(`page=${o}`),
`${s.prefix}${s.lists.find(({name:c})=>c===e).root}?${i.join("&")}`}function ke(e,t,n,r,o,s){let i=s.lists.find(({name:l})=>l===
e.collection),{page:c,order:d,q:u,filters:g}=e,a=l=>Z(e,l,s),h={schema_version:s.schema_version,kind:`${s.kinds[i.name]}\
_list`,...o.as_of===null?{}:{as_of:o.as_of},query:{mode:"page",page:c,sort:d,q:u,filters:g},page:{number:c,size:o.size,count:t.
length,total_items:n,total_pages:r},links:{self:a(c),first:a(1),prev:c>1?a(c-1):null,next:c<r?a(c+1):null,last:a(r),filters:s.
prefix+i.root+s.files.filters}},f=JSON.stringify(h).slice(0,-1),w=t.flatMap((l,p)=>[M.encode(p?`,
`:`${f},"data":[
`),l]);w.push(M.encode(t.length?`
]}
`:`${f},"data":[]}
`));let y=new Uint8Array(w.reduce((l,p)=>l+p.length,0));return w.reduce((l,p)=>(y.set(p,l),l+p.length),0),y}function He(e){
return encodeURIComponent(e).replace(/[!\x27()*]/g,t=>`%${t.charCodeAt(0).toString(16).toUpperCase()}`)}var Be=16*2**20,[U,Oe]=[new Map,new Map],X=0;function T(e,t){return{...t.unavailable,detail:e}}function W(e,t){return T(
`The search index is damaged: ${e}. Unless it is being published just now, build and publish it again.`,t)}var A=(e,t,n)=>Number.
isInteger(e)&&e>=t&&e<=n,Y=(e,t)=>t?Math.ceil(e/t):0,L=class{constructor(t,n,r){let{most:o}=r.index;Object.assign(this,{
query:t,read:n,table:r,most:o,reads:1,bytes:0,until:Date.now()+o.seconds*1e3})}get list(){return this.table.lists.find(({
name:t})=>t===this.query.collection)}path(t,n){return b(this.table.index[t],{collection:this.query.collection,sort:this.
query.order,number:n})}async one(t){try{return await this.read(t)}catch{throw T("The search index cannot be read.",this.
table)}}async manifest(){let{collection:t}=this.query,n=await this.one(this.path("manifest"));if(!n)throw T(`There is no\
 search index of ${t} here.`,this.table);let r=Oe.get(t);return(!r||!ge(r.raw,n))&&(r={raw:n,check:_(n),...this.parsed(n)},
Oe.set(t,r)),this.said=r,r}parsed(t){let{most:n,format:r}=this.table.index,{unicode:o}=this.table.folding,s;try{if(s=t.length<=
n.manifest?JSON.parse(K.decode(t)):null,s.kind!=="search_index"||!A(s.format,0,2**30))throw new O;if(s.format!==r)throw T(
`The search index has the format ${s.format}; this program reads ${r}.`,this.table);if(!we(t)||s.collection!==this.query.
collection)throw new O;if(typeof s.unicode!="string"||!/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/.test(s.unicode))throw new O;if(s.
unicode!==o){let i=`was made by Unicode ${s.unicode}; this program folds words by ${o}`;throw T(`The search index ${i}. \
They go together in one version of the generator.`,this.table)}return this.held(s)}catch(i){throw i.status?i:W("its mani\
fest is not one that a build writes",this.table)}}held(t){let{count:n,size:r,as_of:o,shards:s,split:i,rows:c,pages_a_block:d,
block_bytes:u,sorts:g}=t,{most:a}=this.table.index,h=Math.max(1,Math.ceil(n/r)),f={keys:s,rows:Y(n,c),pages:h,blocks:Y(h,
d)},w=this.list.sorts.slice(1);for(let[p,[m,$]]of Object.entries(g)){if(!w.includes(p)||![2,4].includes(m)||!A($,1,2**30))
throw new O;f[`sort/${p}`]=Y(n,$)}let y={};for(let[p,m]of Object.entries(t.checks))y[p]=q(pe(m),4);if(!(A(n,0,a.records)&&
A(r,1,a.size)&&A(c,0,r-1)&&A(d,0,a.records)&&A(s,1,a.records)&&!(s&s-1)&&Object.keys(g).length===w.length&&Object.keys(y).
length===Object.keys(f).length&&Object.entries(f).every(([p,m])=>y[p].length===m)&&Array.isArray(u)&&u.length===f.blocks&&
u.every(p=>A(p,0,2**53))&&(o===null||typeof o=="string"&&/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(o))&&Array.isArray(i)&&i.every(
p=>typeof p=="string")))throw new O;return{...t,checks:y,split:new Set(i)}}async files(t,n=0){this.reads+=t.length,this.
bound("reads",this.reads),this.bound("bytes",this.bytes+n);let r=await Promise.all(t.map(([o,s])=>this.file(o,s)));return this.
bytes+=r.reduce((o,s)=>o+s.length,0),this.inTime(),new Map(t.map(([o],s)=>[o,r[s]]))}inTime(){if(Date.now()>this.until)throw T(
`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(t,n){if(n<=this.most[t])return;let r=`This\
 query needs ${n} ${t}, and at most ${this.most[t]} are allowed.`;throw x(this.table,"invalid-parameter",`${r} Ask with \
fewer or longer words, or fewer filters.`)}async file(t,n){let r=`${t} ${n}`,o=U.get(r);if(!o){if(o=await this.one(t),!o)
throw new S(`${t} is missing`);if(_(t.endsWith(".json")?D(o):o)!==n)throw new S(`${t} is not the file that the manifest \
means`);X+=U.has(r)?0:o.length}U.delete(r),U.set(r,o);for(let[s,{length:i}]of U){if(X<=Be)break;U.delete(s),X-=i}return o}};async function be(e,t,n,r=()=>!1){let{sorts:o}=n.lists.find(({name:c})=>c===e.collection),s=Object.values(e.filters).every(
R);if(!["relevance",...o].includes(e.order)||!s)return x(n,"unsupported-combination");let i;for(let c=1;c<=2;c++){let d=new L(
e,t,n);try{return await Je(d,r)}catch(u){if(u.status)return u;if(u instanceof O)return W("a file of it is not one that a\
 build writes",n);if(!(u instanceof S))throw u;if(d.said===i)return W(u.message,n);i=d.said}}return T("The registry is b\
eing replaced; ask again in a moment.",n)}async function Je(e,t){let{query:n,table:r}=e,o=await e.manifest(),s=Fe(n,o,r);
if(t(s))return{etag:s};let i=await Ve(await Ge(e,o),e,o),{size:c}=o,d=Math.max(1,Math.ceil(i.length/c));if(n.page>d)throw C(
n.page,d,r);let u=await $e(i.subarray((n.page-1)*c,n.page*c),e,o);return{body:ke(n,u,i.length,d,o,r),etag:s}}function Fe(e,{
check:t,raw:n},r){let o=_(M.encode(`${r.made} ${Z(e,e.page,r)}`));return`"${[t,n.length,o].map(s=>s.toString(16)).join("\
-")}"`}async function Ge(e,t){let{query:n,table:r}=e,o=m=>_(M.encode(m))&t.shards-1,s=Object.entries(n.filters),i=s.map(
([m,$])=>b(r.index.key,{filter:m,value:$})),c=[...new Set(n.q===null?[]:te(n.q,r))],d=i.map(m=>[o(m),m,!1]);d.push(...c.
map(m=>ye(m,o,t.split,r)));let u=[...new Set(d.map(([m])=>m))],g=await e.files(u.map(m=>[e.path("keys",m),t.checks.keys[m]])),
a=d.map(([m,$,k])=>(e.inTime(),xe(g.get(e.path("keys",m)),M.encode($),k,t.count)));if(s.forEach(([m,$],k)=>{if(!a[k])throw I(
n.collection,m,$,r)}),a.includes(null))return new Uint32Array(0);let h=a.slice(s.length).map(({ranks:m})=>m),[f,...w]=a.
sort((m,$)=>m.count-$.count),y=new Uint32Array(f.count);for(let m=0,$=0;$<y.length;m++)f.ranks[m]&&(y[$++]=m);let l=y.length;
for(let{ranks:m}of w){let $=l;l=0;for(let k=0;k<$;k++)m[y[k]]&&(y[l++]=y[k])}let p=y.subarray(0,l);return n.order!=="rel\
evance"?p:P(p,m=>h.reduce(($,k)=>$+k[m],0),3*h.length)}async function Ve(e,t,n){let{order:r}=t.query;if(r==="relevance"||
r===t.list.sorts[0]||!e.length)return e;let[o,s]=n.sorts[r],i=[];for(let h=0;h<e.length;h++)i[Math.floor(e[h]/s)]=!0;let c=Object.
keys(i),d=await t.files(c.map(h=>[t.path("numbers",h),n.checks[`sort/${r}`][h]])),u=[];for(let h of c){let f=d.get(t.path(
"numbers",h));if(f.length!==o*Math.min(s,n.count-h*s))throw new O;u[h]=q(f,o)}let g=h=>u[Math.floor(h/s)][h%s],a=P(e,h=>65535-
(g(h)&65535),65535);return o===2?a:P(a,h=>65535-(g(h)>>>16),65535)}Object.assign(edge,{beside:ae,respond:le,search:be});})();
