(()=>{var M;function xe(e){let t=(d,m)=>d?d.split(m).map(a=>parseInt(a,36)):[],n=d=>Uint32Array.from(t(d," "),(m=>a=>m+=a)(0)),
r=new Map,o=0;for(let d of e.folds.split(";")){let[,m,a,u,g,y]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(d),w=t(y,"+");o+=parseInt(
m,36);for(let f=0,h=o;f<parseInt(a||"1",36);f++,h+=u?2:1)r.set(h,String.fromCodePoint(...g==="="?w:[h+w[0]]))}let{composed:s,
letters:i,signs:l,paired:p}=e;return{folds:r,composed:n(s),letters:n(i),signs:n(l),paired:n(p)}}function z(e,t){let[n,r]=[
0,e.length];for(;n<r;){let o=n+r>>1;e[o]<=t?n=o+1:r=o}return n%2===1}function $e(e,t){if(!/[^\0-\x7f]/.test(e))return e.
toLowerCase();M??=xe(t.folding);let n=r=>M.folds.get(r.codePointAt(0))??r;return Array.from(e,r=>{let o=r.codePointAt(0);
return o<128?r.toLowerCase():M.folds.has(o)||!z(M.composed,o)?n(r):Array.from(r.normalize("NFKD"),n).join("")}).join("")}
function K(e,t){let n=o=>{let s=o.codePointAt(0);return s===39||s===8217?"'":(s<128?/[a-z0-9]/.test(o):z(M.letters,s))?o:
" "};return Array.from($e(e,t),n).join("").replace(/''+/g," ").replace(/'/g,"").split(" ").flatMap(ke)}function ke(e){let t=[],
n;for(let r of e){let o=r.codePointAt(0);if(!t.length&&o>127&&z(M.signs,o))continue;let s=Z(o);s===n?t.push(t.pop()+r):t.
push(r),n=s}return t}var Z=e=>e>127&&z(M.paired,e);function X(e,t){return K(e,t).flatMap(n=>{let r=Array.from(n);return r.
length<3||!Z(r[0].codePointAt(0))?[n]:r.slice(1).map((o,s)=>r[s]+o)})}function Y(e,t){let{characters:n,words:r}=t.text,o=/%(?![0-9A-Fa-f]{2})/g,s;try{s=decodeURIComponent(e.replace(/\+/g," ").
replace(o,"%25"))}catch{s="�"}if(s.includes("�"))return{fault:"q is not percent-encoded UTF-8."};if(e.search(o)>=0||
[...s].length>n)return{fault:`q is percent-encoded text of at most ${n} characters.`};let i=K(s,t).length;return i>=1&&i<=
r?{text:s}:{fault:`q has 1 to ${r} words of letters and digits.`}}function k(e,t,n,r){let o=e.problems[t];return{status:o[0],problem:t,detail:n||o[2],allowed:r||null}}function te(e,t){return{
type:t.problem.type.replace(":code",e.problem),title:t.problems[e.problem][1],status:e.status,detail:e.detail,code:e.problem,
allowed:e.allowed,help:t.problem.help}}function H(e,t){return new RegExp(`^(?:${e})$`).test(t)}function W(e){return e.length>
80?`${e.slice(0,80)}…`:e}function b(e,t){return e.replace(/:([a-z]+)/g,(n,r)=>t[r])}function Oe(e){return e.replace(/%([0-9A-Fa-f]{2})/g,
(t,n)=>{let r=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(r)?r:t})}function Q(e,t){return t.prefix&&
e.indexOf(`${t.prefix}/`)===0?e.slice(t.prefix.length):e}function ne(e,t,n,r,o){if(r.methods.indexOf(e)<0)return{status:405,
allow:r.methods};if(e==="OPTIONS")return{status:204,allow:r.methods};let s=Oe(t),i=Q(s,r);for(let d=0;d<r.lists.length;d++){
let m=r.lists[d];if(i===m.root)return be(n,m,r,o);let a=i.indexOf(`${m.root}/`)===0?i.slice(m.root.length+1):"";if(a.length<=
r.longest.slug&&H(r.patterns.slug,a))return n?ee(i,r):{status:200,file:m.root+b(r.files.record,{slug:a}),record:m,slug:a}}
if(Object.prototype.hasOwnProperty.call(r.documents,i))return n?ee(i,r):{status:200,file:r.documents[i]};let l=i.indexOf(
"%")>=0;return(l?Q(s.replace(/%2f/gi,"/"),r).toLowerCase():i).indexOf(r.api)===0&&(l||!/[^/]\.[a-z0-9]+$/.test(i))?k(r,"\
not-found"):{status:200,file:i}}function ee(e,t){return k(t,"unknown-parameter",`${t.prefix}${e} takes no parameters.`)}
function be(e,t,n,r){if(!e)return t.bare?{status:200,file:t.bare}:k(n,"mode-required",`Ask for a page: ${n.prefix}${t.root}\
?mode=page`);let o=e.split("&").map(c=>{let x=c.indexOf("=");return x<0?[c,""]:[c.slice(0,x),c.slice(x+1)]}),s=Object.keys(
t.parameters);for(let c=0;c<o.length;c++){if(!o[c][0])return k(n,"invalid-parameter","The query has an empty parameter.",
s);if(!o[c][1])return k(n,"invalid-parameter",`The parameter "${W(o[c][0])}" has no value.`,s)}for(let c=0;c<o.length;c++)
if(s.indexOf(o[c][0])<0)return k(n,"unknown-parameter",`There is no parameter "${W(o[c][0])}" here.`,s);let i={};for(let c=0;c<
o.length;c++){if(i[o[c][0]]!==void 0)return k(n,"repeated-parameter",`The parameter "${o[c][0]}" is given more than once\
.`);i[o[c][0]]=o[c][1]}if(i.mode!=="page")return k(n,"mode-required","Only mode=page is answered.",["page"]);let l=i.q!==
void 0,p=l&&r?r(i.q):{text:l?i.q:null};if(p.fault)return k(n,"invalid-parameter",p.fault);let d=l?["relevance"].concat(t.
sorts):t.sorts,m=i.sort||d[0];if(d.indexOf(m)<0)return k(n,"invalid-parameter",`There is no sort "${W(m)}" here.`,d);let a=i.
page||"1";if(!H(n.patterns.page,a))return k(n,"invalid-parameter","A page is a whole number from 1.");let u={},g=s.filter(
c=>i[c]!==void 0&&(t.parameters[c]||t.fixed[c]));for(let c=0;c<g.length;c++){let x=g[c],$=i[x],v=t.fixed[x];if(v&&$!==v.
value)return k(n,"invalid-parameter",`${x} can only be ${v.value}.`,[v.value]);if(!v&&($.length>n.longest.value||!H(n.patterns[t.
parameters[x]],$)))return k(n,"invalid-parameter",`"${x}" has a value that no ${x} can have.`);u[x]=$}let y=m===t.sorts[0],
w={collection:t.name,filters:u,sort:i.sort||"",order:m,q:p.text,page:Number(a)};if(l||g.length>1||g.length&&!y){let c=k(
n,"unsupported-combination");return c.query=w,c}let f=g[0],h={filter:f,value:u[f],sort:m,page:a};return t.fixed[f]?{status:200,
file:b(t.fixed[f].file,h),query:w}:{status:200,file:t.root+b(n.files[f?"by":y?"plain":"sorted"],h),query:w}}function E(e,t,n){return k(n,"not-found",`There is no page ${e}: the list has ${t} page${t===1?"":"s"}.`)}function N(e,t,n,r){
let{root:o}=r.lists.find(({name:i})=>i===e),s=r.prefix+o+b(r.files.values,{filter:t});return k(r,"not-found",`No ${r.kinds[e]}\
 has the ${t} "${n}"; ${s} lists its values.`)}function ve(e,t,n,r){return ne(e,t,n,r,o=>Y(o,r))}function re(e,t){let n=new URL(t);return n.pathname=e,n.search="",n}async function se(e,t,n,r){
let{pathname:o,search:s}=new URL(e.url),i=ve(e.method,o,s.slice(1),n),l=e.method==="HEAD";if(i.allow)return Se(i,n);if(i.
problem&&i.query&&r)return Ae(i.query,e,t,n,r);if(i.problem)return B(i,n,l);let p=i.file.startsWith(n.api),d=i.record||i.
query&&(i.query.filters.program||i.query.filters.organization),m=d?"GET":e.method,a=i.file.includes("//")?new Response(null,
{status:404}):await t(i.file,{method:m,headers:e.headers,redirect:"manual"});if(!p&&a.status!==404)return a;if(!p){let y=await t(
n.missing,{method:e.method}),{body:w,headers:f}=y.ok?y:a;return new Response(l?null:w,{status:404,headers:f})}if(a.status===
404){let y=f=>oe(f,e,t),w=await Te(i,y,n);return w?new Response(null,{status:308,headers:{...n.headers,location:w}}):B(await je(
i,y,n),n,l)}let u=new Headers(a.headers);for(let[y,w]of Object.entries(n.headers))u.set(y,w);(a.ok||a.status===304)&&u.set(
"content-location",n.prefix+i.file);let g=l||a.status===304?null:a.body;if(d&&a.ok){let y=await a.text();if(ie(y)){let{links:w,
data:f}=JSON.parse(y),h=i.record?`${n.prefix}${i.record.root}/${f.replaced_by}`:w.replaced_by;return new Response(null,{
status:308,headers:{...n.headers,location:h}})}g=l?null:y}return new Response(g,{status:a.status,headers:u})}async function Ae(e,t,n,r,o){
let s=t.headers.get("if-none-match")??"",i=u=>(s.match(/"[^"]*"/g)??[]).includes(u),l=t.method==="HEAD",{body:p,etag:d,...m}=await o(
e,u=>oe(u,t,n),r,i);if(!d)return B(m,r,l);let a={...r.headers,etag:d};return!p||s.trim()==="*"?new Response(null,{status:304,
headers:a}):new Response(l?null:p,{headers:{...a,"content-type":r.json}})}async function oe(e,t,n){let r=new Headers(t.headers),
o=["if-match","if-none-match","if-modified-since","if-unmodified-since","if-range"];for(let l of[...o,"range","accept-en\
coding"])r.delete(l);let s=await n(e,{headers:r}),i=await s.arrayBuffer();return s.ok?new Uint8Array(i):null}function ie(e){
return e.slice(0,99).includes('"kind":"moved"')}async function Te(e,t,n){let[r,o]=Object.entries(e.query&&e.query.filters||
{})[0]||[],s=n.lists.find(({name:p})=>n.kinds[p]===r),i=s&&await t(s.root+b(n.files.record,{slug:o})),l=i&&new TextDecoder().
decode(i);if(!(!l||!ie(l)))return n.prefix+e.file.replace(`/${r}/${o}/`,`/${r}/${JSON.parse(l).data.replaced_by}/`)}async function je(e,t,n){
if(e.record)return k(n,"not-found",`There is no ${n.kinds[e.record.name]} "${e.slug}".`);if(!e.query)return k(n,"not-fou\
nd");let{collection:r,filters:o,page:s}=e.query,i=await t(e.file.replace(/[0-9]+(?=\.json$)/,"1")),l=i?Me(i):0;if(l&&s>l)
return E(s,l,n);let p=Object.entries(o).filter(([d])=>!n.lists.some(m=>d in m.fixed));return!i&&p.length?N(r,...p[0],n):
{...n.unavailable,detail:`The build is damaged: ${e.file} is missing. Build it again.`}}function Me(e){try{return JSON.parse(
new TextDecoder().decode(e)).page.total_pages}catch{return 0}}function B(e,t,n){let r={...t.headers,...e.headers,"conten\
t-type":t.type},{status:o,title:s,detail:i}=e,l=e.problem?te(e,t):{type:"about:blank",title:s,status:o,detail:i};return new Response(
n?null:`${JSON.stringify(l)}
`,{status:o,headers:r})}function Se(e,t){let n={...t.headers,allow:e.allow.join(", ")};return e.status===204?new Response(
null,{status:204,headers:{...n,...t.preflight}}):new Response(`${t.not_allowed}
`,{status:e.status,headers:{...n,"content-type":t.type}})}var S=class extends Error{},O=class extends Error{},[_,J]=[new TextEncoder,new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0})],
ce=`,"check":"00000000"}
`;function ae(e,t){let n=0;for(;n<e.length&&e[n]===t[n];)n++;return n<e.length&&n<t.length?e[n]-t[n]:e.length-t.length}function R(e,t,n){
let r=new Uint32Array(n+2);for(let s=0;s<e.length;s++)r[t(e[s])+1]++;for(let s=1;s<r.length;s++)r[s]+=r[s-1];let o=new Uint32Array(
e.length);for(let s=0;s<e.length;s++)o[r[t(e[s])]++]=e[s];return o}function I(e,t){if(e.length%t)throw new O;let n=e.byteOffset%
t?e.slice():e;return new(t===2?Uint16Array:Uint32Array)(n.buffer,n.byteOffset,n.length/t)}function le(e){if(typeof e!="s\
tring"||!/^[A-Za-z0-9+/]*={0,2}$/.test(e))throw new O;let t=atob(e),n=new Uint8Array(t.length);for(let r=0;r<n.length;r++)
n[r]=t.charCodeAt(r);return n}function C(e){let t=e.indexOf(10)+1;return e.subarray(t,Math.max(t,e.lastIndexOf(10,e.length-
2)))}function fe(e,t,n){let r=[];for(let o=0,s;o<=e.length;o=s+1){s=e.indexOf(10,o),s<0&&(s=e.length);let i=t&&s<e.length;
if(r.length===n||i&&e[s-1]!==44)throw new O;r.push(e.subarray(o,s-i))}if(r.length!==n)throw new O;return r}function ue(e,t){
return e.length===t.length&&e.every((n,r)=>n===t[r])}function he(e){let t=e.length-ce.length,n=q(e.subarray(0,t)).toString(
16).padStart(8,"0");return t>0&&J.decode(e.subarray(t))===ce.replace("00000000",n)}var A=new Uint32Array(1024);for(let e=0;e<
256;e++){let t=e;for(let n=0;n<8;n++)t=t&1?t>>>1^3988292384:t>>>1;A[e]=t}for(let e=256;e<1024;e++)A[e]=A[e-256]>>>8^A[A[e-
256]&255];function q(e){let[t,n]=[-1,0];for(let r=e.length-3;n<r;n+=4)t^=e[n]|e[n+1]<<8|e[n+2]<<16|e[n+3]<<24,t=A[768+(t&
255)]^A[512+(t>>>8&255)]^A[256+(t>>>16&255)]^A[t>>>24];for(;n<e.length;n++)t=t>>>8^A[(t^e[n])&255];return~t>>>0}function de(e,t,n,r){let o=[...e],s=r.index.prefix;if(o.length<s)return[t(e),e,!1];let i=()=>o.slice(0,s).join("");for(;n.
has(i())&&s<o.length;)s+=1;return n.has(i())?[t(i()),`*${e}`,!1]:[t(i()),e,!0]}function pe(e,t,n,r){let o=new Uint8Array(
r),[s,i,l,p]=[0,0,!1,e.subarray(0,0)],d=()=>{let a=0;for(let u=1;u<=2**28;u*=128){let g=e[s++];if(a+=(g&127)*u,g<128)return a}
throw new O},m=(a,u)=>{if(a>=r)throw new O;o[a]||i++,(!o[a]||o[a]>u)&&(o[a]=u)};for(;s<e.length;){let a=d(),u=e.subarray(
s,s+a);s+=a;let g=d()+s;if(g>e.length||ae(p,u)>=0)throw new O;p=u;let y=a===t.length||n&&a>t.length;for(let w=0;y&&w<t.length;w++)
y=u[w]===t[w];l||=y;for(let w=1;y&&s<g;){let f=(e[s]&3)+1,h=e[s++]>>2,c=d(),x=c*(h||1)+s;if(f<w||f>3||![0,1,2,4].includes(
h)||!c||x>g)throw new O;if(h&&c>r)throw new O;w=f+1;for(let $=0;h&&s<x;s+=h)$+=e[s],h>1&&($+=e[s+1]<<8),h>2&&($+=(e[s+2]<<
16)+e[s+3]*2**24),m($,f);for(let $=0;s<x;$+=8)for(let v=$,L=e[s++];L;v++,L>>=1)L&1&&m(v,f)}s=g}return l?{ranks:o,count:i}:
null}async function me(e,t,n){let{rows:r,size:o,pages_a_block:s,checks:i}=n,l=f=>t.list.root+b(t.table.files.plain,{page:f}),
p=([f,h])=>f==="pages"?l(h+1):t.path(f,h),d=Object.entries({rows:r,pages:o,blocks:o*s}).filter(([,f])=>f),m=_e(e,d,t.most.
reads-t.reads),a=[...new Map(m.map(f=>[p(f),f]))],u=a.reduce((f,[,[h,c]])=>f+(h==="blocks"?n.block_bytes[c]:0),0),g=await t.
files(a.map(([f,[h,c]])=>[f,i[h][c]]),u),y=(f,[h,c,x])=>{let $=h==="pages",v=$?C(f):f.subarray(0,f.length-(f[f.length-1]===
10));return fe(v,$,Math.min(x,n.count-c*x))},w=new Map(a.map(([f,h])=>[f,y(g.get(f),h)]));return m.map((f,h)=>w.get(p(f))[e[h]%
f[2]])}function _e(e,[[t,n],...r],o){let s=Array.from(e,l=>[t,Math.floor(l/n),n]),i=l=>new Set(l.map(([p,d])=>`${p} ${d}`));
for(let[l,p]of r){let d=new Map;s.forEach((a,u)=>{let g=Math.floor(e[u]/p);d.set(g,[...d.get(g)??[],a])});let m=[...d].map(
([a,u])=>[a,i(u).size]).sort(([a,u],[g,y])=>y-u||a-g);for(let[a,u]of m){if(i(s).size<=o||u<2)break;s=s.map((g,y)=>Math.floor(
e[y]/p)===a?[l,a,p]:g)}}return s}function F({collection:e,q:t,filters:n,sort:r},o,s){let i=["mode=page"];t!==null&&i.push(
`q=${qe(t)}`);for(let[l,p]of Object.entries(n))i.push(`${l}=${p}`);return r&&i.push(`sort=${r}`),o!==1&&i.push(`page=${o}`),
`${s.prefix}${s.lists.find(({name:l})=>l===e).root}?${i.join("&")}`}function ge(e,t,n,r,o,s){let i=s.lists.find(({name:f})=>f===
e.collection),{page:l,order:p,q:d,filters:m}=e,a=f=>F(e,f,s),u={schema_version:s.schema_version,kind:`${s.kinds[i.name]}\
_list`,...o.as_of===null?{}:{as_of:o.as_of},query:{mode:"page",page:l,sort:p,q:d,filters:m},page:{number:l,size:o.size,count:t.
length,total_items:n,total_pages:r},links:{self:a(l),first:a(1),prev:l>1?a(l-1):null,next:l<r?a(l+1):null,last:a(r),filters:s.
prefix+i.root+s.files.filters}},g=JSON.stringify(u).slice(0,-1),y=t.flatMap((f,h)=>[_.encode(h?`,
`:`${g},"data":[
`),f]);y.push(_.encode(t.length?`
]}
`:`${g},"data":[]}
`));let w=new Uint8Array(y.reduce((f,h)=>f+h.length,0));return y.reduce((f,h)=>(w.set(h,f),f+h.length),0),w}function qe(e){
return encodeURIComponent(e).replace(/[!\x27()*]/g,t=>`%${t.charCodeAt(0).toString(16).toUpperCase()}`)}var Ue=16*2**20,[U,we]=[new Map,new Map],G=0;function j(e,t){return{...t.unavailable,detail:e}}function P(e,t){return j(
`The search index is damaged: ${e}. Unless it is being published just now, build and publish it again.`,t)}var T=(e,t,n)=>Number.
isInteger(e)&&e>=t&&e<=n,V=(e,t)=>t?Math.ceil(e/t):0,D=class{constructor(t,n,r){let{most:o}=r.index;Object.assign(this,{
query:t,read:n,table:r,most:o,reads:1,bytes:0,until:Date.now()+o.seconds*1e3})}get list(){return this.table.lists.find(({
name:t})=>t===this.query.collection)}path(t,n){return b(this.table.index[t],{collection:this.query.collection,sort:this.
query.order,number:n})}async one(t){try{return await this.read(t)}catch{throw j("The search index cannot be read.",this.
table)}}async manifest(){let{collection:t}=this.query,n=await this.one(this.path("manifest"));if(!n)throw j(`There is no\
 search index of ${t} here.`,this.table);let r=we.get(t);return(!r||!ue(r.raw,n))&&(r={raw:n,check:q(n),...this.parsed(n)},
we.set(t,r)),this.said=r,r}parsed(t){let{most:n,format:r}=this.table.index,{unicode:o}=this.table.folding,s;try{if(s=t.length<=
n.manifest?JSON.parse(J.decode(t)):null,s.kind!=="search_index"||!T(s.format,0,2**30))throw new O;if(s.format!==r)throw j(
`The search index has the format ${s.format}; this program reads ${r}.`,this.table);if(!he(t)||s.collection!==this.query.
collection)throw new O;if(typeof s.unicode!="string"||!/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/.test(s.unicode))throw new O;if(s.
unicode!==o){let i=`was made by Unicode ${s.unicode}; this program folds words by ${o}`;throw j(`The search index ${i}. \
They go together in one version of the generator.`,this.table)}return this.held(s)}catch(i){throw i.status?i:P("its mani\
fest is not one that a build writes",this.table)}}held(t){let{count:n,size:r,as_of:o,shards:s,split:i,rows:l,pages_a_block:p,
block_bytes:d,sorts:m}=t,{most:a}=this.table.index,u=Math.max(1,Math.ceil(n/r)),g={keys:s,rows:V(n,l),pages:u,blocks:V(u,
p)},y=this.list.sorts.slice(1);for(let[h,[c,x]]of Object.entries(m)){if(!y.includes(h)||![2,4].includes(c)||!T(x,1,2**30))
throw new O;g[`sort/${h}`]=V(n,x)}let w={};for(let[h,c]of Object.entries(t.checks))w[h]=I(le(c),4);if(!(T(n,0,a.records)&&
T(r,1,a.size)&&T(l,0,r-1)&&T(p,0,a.records)&&T(s,1,a.records)&&!(s&s-1)&&Object.keys(m).length===y.length&&Object.keys(w).
length===Object.keys(g).length&&Object.entries(g).every(([h,c])=>w[h].length===c)&&Array.isArray(d)&&d.length===g.blocks&&
d.every(h=>T(h,0,2**53))&&(o===null||typeof o=="string"&&/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(o))&&Array.isArray(i)&&i.every(
h=>typeof h=="string")))throw new O;return{...t,checks:w,split:new Set(i)}}async files(t,n=0){this.reads+=t.length,this.
bound("reads",this.reads),this.bound("bytes",this.bytes+n);let r=await Promise.all(t.map(([o,s])=>this.file(o,s)));return this.
bytes+=r.reduce((o,s)=>o+s.length,0),this.inTime(),new Map(t.map(([o],s)=>[o,r[s]]))}inTime(){if(Date.now()>this.until)throw j(
`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(t,n){if(n<=this.most[t])return;let r=`This\
 query needs ${n} ${t}, and at most ${this.most[t]} are allowed.`;throw k(this.table,"invalid-parameter",`${r} Ask with \
fewer or longer words, or fewer filters.`)}async file(t,n){let r=`${t} ${n}`,o=U.get(r);if(!o){if(o=await this.one(t),!o)
throw new S(`${t} is missing`);if(q(t.endsWith(".json")?C(o):o)!==n)throw new S(`${t} is not the file that the manifest \
means`);G+=U.has(r)?0:o.length}U.delete(r),U.set(r,o);for(let[s,{length:i}]of U){if(G<=Ue)break;U.delete(s),G-=i}return o}};async function ye(e,t,n,r=()=>!1){let o;for(let s=1;s<=2;s++){let i=new D(e,t,n);try{return await ze(i,r)}catch(l){if(l.
status)return l;if(l instanceof O)return P("a file of it is not one that a build writes",n);if(!(l instanceof S))throw l;
if(i.said===o)return P(l.message,n);o=i.said}}return j("The registry is being replaced; ask again in a moment.",n)}async function ze(e,t){
let{query:n,table:r}=e,o=await e.manifest(),s=Ee(n,o,r);if(t(s))return{etag:s};let i=await Re(await Ne(e,o),e,o),{size:l}=o,
p=Math.max(1,Math.ceil(i.length/l));if(n.page>p)throw E(n.page,p,r);let d=await me(i.subarray((n.page-1)*l,n.page*l),e,o);
return{body:ge(n,d,i.length,p,o,r),etag:s}}function Ee(e,{check:t,raw:n},r){let o=q(_.encode(`${r.made} ${F(e,e.page,r)}`));
return`"${[t,n.length,o].map(s=>s.toString(16)).join("-")}"`}async function Ne(e,t){let{query:n,table:r}=e,o=c=>q(_.encode(
c))&t.shards-1,s=Object.entries(n.filters),i=s.map(([c,x])=>b(r.index.key,{filter:c,value:x})),l=[...new Set(n.q===null?
[]:X(n.q,r))],p=i.map(c=>[o(c),c,!1]);p.push(...l.map(c=>de(c,o,t.split,r)));let d=[...new Set(p.map(([c])=>c))],m=await e.
files(d.map(c=>[e.path("keys",c),t.checks.keys[c]])),a=p.map(([c,x,$])=>(e.inTime(),pe(m.get(e.path("keys",c)),_.encode(
x),$,t.count)));if(s.forEach(([c,x],$)=>{if(!a[$])throw N(n.collection,c,x,r)}),a.includes(null))return new Uint32Array(
0);let u=a.slice(s.length).map(({ranks:c})=>c),[g,...y]=a.sort((c,x)=>c.count-x.count),w=new Uint32Array(g.count);for(let c=0,
x=0;x<w.length;c++)g.ranks[c]&&(w[x++]=c);let f=w.length;for(let{ranks:c}of y){let x=f;f=0;for(let $=0;$<x;$++)c[w[$]]&&
(w[f++]=w[$])}let h=w.subarray(0,f);return n.order!=="relevance"?h:R(h,c=>u.reduce((x,$)=>x+$[c],0),3*u.length)}async function Re(e,t,n){
let{order:r}=t.query;if(r==="relevance"||r===t.list.sorts[0]||!e.length)return e;let[o,s]=n.sorts[r],i=[];for(let u=0;u<
e.length;u++)i[Math.floor(e[u]/s)]=!0;let l=Object.keys(i),p=await t.files(l.map(u=>[t.path("numbers",u),n.checks[`sort/${r}`][u]])),
d=[];for(let u of l){let g=p.get(t.path("numbers",u));if(g.length!==o*Math.min(s,n.count-u*s))throw new O;d[u]=I(g,o)}let m=u=>d[Math.
floor(u/s)][u%s],a=R(e,u=>65535-(m(u)&65535),65535);return o===2?a:R(a,u=>65535-(m(u)>>>16),65535)}Object.assign(edge,{beside:re,respond:se,search:ye});})();
