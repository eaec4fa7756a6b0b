(()=>{var U;function we(e){let t=(o,i)=>o?o.split(i).map(a=>parseInt(a,36)):[],n=o=>Uint32Array.from(t(o," "),(i=>a=>i+=a)(0)),
r=new Map,s=0;for(let o of e.folds.split(";")){let[,i,a,h,m,g]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(o),l=t(g,"+");s+=parseInt(
i,36);for(let f=0,p=s;f<parseInt(a||"1",36);f++,p+=h?2:1)r.set(p,String.fromCodePoint(...m==="="?l:[p+l[0]]))}return{folds:r,
composed:n(e.composed),letters:n(e.letters)}}function K(e,t){let[n,r]=[0,e.length];for(;n<r;){let s=n+r>>1;e[s]<=t?n=s+1:
r=s}return n%2===1}function ye(e,t){if(!/[^\0-\x7f]/.test(e))return e.toLowerCase();U??=we(t.folding);let n=r=>U.folds.get(
r.codePointAt(0))??r;return Array.from(e,r=>{let s=r.codePointAt(0);return s<128?r.toLowerCase():U.folds.has(s)||!K(U.composed,
s)?n(r):Array.from(r.normalize("NFKD"),n).join("")}).join("")}function P(e,t){let n=s=>{let o=s.codePointAt(0);return o<
128?/[a-z0-9]/.test(s):K(U.letters,o)};return Array.from(ye(e,t),s=>n(s)?s:" ").join("").split(" ").filter(Boolean)}function Z(e,t){
let{characters:n,words:r}=t.text,s=/%(?![0-9A-Fa-f]{2})/g,o;try{o=decodeURIComponent(e.replace(/\+/g," ").replace(s,"%25"))}catch{
o="�"}if(o.includes("�"))return{fault:"q is not percent-encoded UTF-8."};if(e.search(s)>=0||[...o].length>n)return{fault:`\
q is percent-encoded text of at most ${n} characters.`};let i=P(o,t).length;return i>=1&&i<=r?{text:o}:{fault:`q has 1 t\
o ${r} words of letters and digits.`}}function k(e,t,n,r){let s=e.problems[t];return{status:s[0],problem:t,detail:n||s[2],allowed:r||null}}function Q(e,t){return{
type:t.problem.type.replace(":code",e.problem),title:t.problems[e.problem][1],status:e.status,detail:e.detail,code:e.problem,
allowed:e.allowed,help:t.problem.help}}function H(e,t){return new RegExp(`^(?:${e})$`).test(t)}function B(e){return e.length>
80?`${e.slice(0,80)}…`:e}function b(e,t){return e.replace(/:([a-z]+)/g,(n,r)=>t[r])}function xe(e){return e.replace(/%([0-9A-Fa-f]{2})/g,
(t,n)=>{let r=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(r)?r:t})}function X(e,t){return t.prefix&&
e.indexOf(`${t.prefix}/`)===0?e.slice(t.prefix.length):e}function ee(e,t,n,r,s){if(r.methods.indexOf(e)<0)return{status:405,
allow:r.methods};if(e==="OPTIONS")return{status:204,allow:r.methods};let o=xe(t),i=X(o,r);for(let m=0;m<r.lists.length;m++){
let g=r.lists[m];if(i===g.root)return $e(n,g,r,s);let l=i.indexOf(`${g.root}/`)===0?i.slice(g.root.length+1):"";if(l.length<=
r.longest.slug&&H(r.patterns.slug,l))return n?Y(i,r):{status:200,file:g.root+b(r.files.record,{slug:l}),record:g,slug:l}}
if(Object.prototype.hasOwnProperty.call(r.documents,i))return n?Y(i,r):{status:200,file:r.documents[i]};let a=i.indexOf(
"%")>=0;return(a?X(o.replace(/%2f/gi,"/"),r).toLowerCase():i).indexOf(r.api)===0&&(a||!/[^/]\.[a-z0-9]+$/.test(i))?k(r,"\
not-found"):{status:200,file:i}}function Y(e,t){return k(t,"unknown-parameter",`${t.prefix}${e} takes no parameters.`)}function $e(e,t,n,r){
if(!e)return t.bare?{status:200,file:t.bare}:k(n,"mode-required",`Ask for a page: ${n.prefix}${t.root}?mode=page`);let s=e.
split("&").map(c=>{let y=c.indexOf("=");return y<0?[c,""]:[c.slice(0,y),c.slice(y+1)]}),o=Object.keys(t.parameters);for(let c=0;c<
s.length;c++){if(!s[c][0])return k(n,"invalid-parameter","The query has an empty parameter.",o);if(!s[c][1])return k(n,"\
invalid-parameter",`The parameter "${B(s[c][0])}" has no value.`,o)}for(let c=0;c<s.length;c++)if(o.indexOf(s[c][0])<0)return k(
n,"unknown-parameter",`There is no parameter "${B(s[c][0])}" here.`,o);let i={};for(let c=0;c<s.length;c++){if(i[s[c][0]]!==
void 0)return k(n,"repeated-parameter",`The parameter "${s[c][0]}" is given more than once.`);i[s[c][0]]=s[c][1]}if(i.mode!==
"page")return k(n,"mode-required","Only mode=page is answered.",["page"]);let a=i.q!==void 0,h=a&&r?r(i.q):{text:a?i.q:null};
if(h.fault)return k(n,"invalid-parameter",h.fault);let m=a?["relevance"].concat(t.sorts):t.sorts,g=i.sort||m[0];if(m.indexOf(
g)<0)return k(n,"invalid-parameter",`There is no sort "${B(g)}" here.`,m);let l=i.page||"1";if(!H(n.patterns.page,l))return k(
n,"invalid-parameter","A page is a whole number from 1.");let f={},p=o.filter(c=>i[c]!==void 0&&(t.parameters[c]||t.fixed[c]));
for(let c=0;c<p.length;c++){let y=p[c],$=i[y],v=t.fixed[y];if(v&&$!==v.value)return k(n,"invalid-parameter",`${y} can on\
ly be ${v.value}.`,[v.value]);if(!v&&($.length>n.longest.value||!H(n.patterns[t.parameters[y]],$)))return k(n,"invalid-p\
arameter",`"${y}" has a value that no ${y} can have.`);f[y]=$}let x=g===t.sorts[0],w={collection:t.name,filters:f,sort:i.
sort||"",order:g,q:h.text,page:Number(l)};if(a||p.length>1||p.length&&!x){let c=k(n,"unsupported-combination");return c.
query=w,c}let u=p[0],d={filter:u,value:f[u],sort:g,page:l};return t.fixed[u]?{status:200,file:b(t.fixed[u].file,d),query:w}:
{status:200,file:t.root+b(n.files[u?"by":x?"plain":"sorted"],d),query:w}}function z(e,t,n){return k(n,"not-found",`There is no page ${e}: the list has ${t} page${t===1?"":"s"}.`)}function E(e,t,n,r){
let{root:s}=r.lists.find(({name:i})=>i===e),o=r.prefix+s+b(r.files.values,{filter:t});return k(r,"not-found",`No ${r.kinds[e]}\
 has the ${t} "${n}"; ${o} lists its values.`)}function ke(e,t,n,r){return ee(e,t,n,r,s=>Z(s,r))}function te(e,t){let n=new URL(t);return n.pathname=e,n.search="",n}async function ne(e,t,n,r){
let{pathname:s,search:o}=new URL(e.url),i=ke(e.method,s,o.slice(1),n),a=e.method==="HEAD";if(i.allow)return Te(i,n);if(i.
problem&&i.query&&r)return Oe(i.query,e,t,n,r);if(i.problem)return W(i,n,a);let h=i.file.startsWith(n.api),m=i.record||i.
query&&(i.query.filters.program||i.query.filters.organization),g=m?"GET":e.method,l=i.file.includes("//")?new Response(null,
{status:404}):await t(i.file,{method:g,headers:e.headers,redirect:"manual"});if(!h&&l.status!==404)return l;if(!h){let x=await t(
n.missing,{method:e.method}),{body:w,headers:u}=x.ok?x:l;return new Response(a?null:w,{status:404,headers:u})}if(l.status===
404){let x=u=>re(u,e,t),w=await be(i,x,n);return w?new Response(null,{status:308,headers:{...n.headers,location:w}}):W(await ve(
i,x,n),n,a)}let f=new Headers(l.headers);for(let[x,w]of Object.entries(n.headers))f.set(x,w);(l.ok||l.status===304)&&f.set(
"content-location",n.prefix+i.file);let p=a||l.status===304?null:l.body;if(m&&l.ok){let x=await l.text();if(oe(x)){let{links:w,
data:u}=JSON.parse(x),d=i.record?`${n.prefix}${i.record.root}/${u.replaced_by}`:w.replaced_by;return new Response(null,{
status:308,headers:{...n.headers,location:d}})}p=a?null:x}return new Response(p,{status:l.status,headers:f})}async function Oe(e,t,n,r,s){
let o=t.headers.get("if-none-match")??"",i=f=>(o.match(/"[^"]*"/g)??[]).includes(f),a=t.method==="HEAD",{body:h,etag:m,...g}=await s(
e,f=>re(f,t,n),r,i);if(!m)return W(g,r,a);let l={...r.headers,etag:m};return!h||o.trim()==="*"?new Response(null,{status:304,
headers:l}):new Response(a?null:h,{headers:{...l,"content-type":r.json}})}async function re(e,t,n){let r=new Headers(t.headers),
s=["if-match","if-none-match","if-modified-since","if-unmodified-since","if-range"];for(let a of[...s,"range","accept-en\
coding"])r.delete(a);let o=await n(e,{headers:r}),i=await o.arrayBuffer();return o.ok?new Uint8Array(i):null}function oe(e){
return e.slice(0,99).includes('"kind":"moved"')}async function be(e,t,n){let[r,s]=Object.entries(e.query&&e.query.filters||
{})[0]||[],o=n.lists.find(({name:h})=>n.kinds[h]===r),i=o&&await t(o.root+b(n.files.record,{slug:s})),a=i&&new TextDecoder().
decode(i);if(!(!a||!oe(a)))return n.prefix+e.file.replace(`/${r}/${s}/`,`/${r}/${JSON.parse(a).data.replaced_by}/`)}async function ve(e,t,n){
if(e.record)return k(n,"not-found",`There is no ${n.kinds[e.record.name]} "${e.slug}".`);if(!e.query)return k(n,"not-fou\
nd");let{collection:r,filters:s,page:o}=e.query,i=await t(e.file.replace(/[0-9]+(?=\.json$)/,"1")),a=i?Ae(i):0;if(a&&o>a)
return z(o,a,n);let h=Object.entries(s).filter(([m])=>!n.lists.some(g=>m in g.fixed));return!i&&h.length?E(r,...h[0],n):
{...n.unavailable,detail:`The build is damaged: ${e.file} is missing. Build it again.`}}function Ae(e){try{return JSON.parse(
new TextDecoder().decode(e)).page.total_pages}catch{return 0}}function W(e,t,n){let r={...t.headers,...e.headers,"conten\
t-type":t.type},{status:s,title:o,detail:i}=e,a=e.problem?Q(e,t):{type:"about:blank",title:o,status:s,detail:i};return new Response(
n?null:`${JSON.stringify(a)}
`,{status:s,headers:r})}function Te(e,t){let n={...t.headers,allow:e.allow.join(", ")};return e.status===204?new Response(
null,{status:204,headers:{...n,...t.preflight}}):new Response(`${t.not_allowed}
`,{status:e.status,headers:{...n,"content-type":t.type}})}var S=class extends Error{},O=class extends Error{},[_,J]=[new TextEncoder,new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0})],
se=`,"check":"00000000"}
`;function ie(e,t){let n=0;for(;n<e.length&&e[n]===t[n];)n++;return n<e.length&&n<t.length?e[n]-t[n]:e.length-t.length}function N(e,t,n){
let r=new Uint32Array(n+2);for(let o=0;o<e.length;o++)r[t(e[o])+1]++;for(let o=1;o<r.length;o++)r[o]+=r[o-1];let s=new Uint32Array(
e.length);for(let o=0;o<e.length;o++)s[r[t(e[o])]++]=e[o];return s}function R(e,t){if(e.length%t)throw new O;let n=e.byteOffset%
t?e.slice():e;return new(t===2?Uint16Array:Uint32Array)(n.buffer,n.byteOffset,n.length/t)}function ce(e){if(typeof e!="s\
tring"||!/^[A-Za-z0-9+/]*={0,2}$/.test(e))throw new O;let t=atob(e),n=new Uint8Array(t.length);for(let r=0;r<n.length;r++)
n[r]=t.charCodeAt(r);return n}function I(e){let t=e.indexOf(10)+1;return e.subarray(t,Math.max(t,e.lastIndexOf(10,e.length-
2)))}function ae(e,t,n){let r=[];for(let s=0,o;s<=e.length;s=o+1){o=e.indexOf(10,s),o<0&&(o=e.length);let i=t&&o<e.length;
if(r.length===n||i&&e[o-1]!==44)throw new O;r.push(e.subarray(s,o-i))}if(r.length!==n)throw new O;return r}function le(e,t){
return e.length===t.length&&e.every((n,r)=>n===t[r])}function fe(e){let t=e.length-se.length,n=q(e.subarray(0,t)).toString(
16).padStart(8,"0");return t>0&&J.decode(e.subarray(t))===se.replace("00000000",n)}var A=new Uint32Array(1024);for(let e=0;e<
256;e++){let t=e;for(let n=0;n<8;n++)t=t&1?t>>>1^3988292384:t>>>1;A[e]=t}for(let e=256;e<1024;e++)A[e]=A[e-256]>>>8^A[A[e-
256]&255];function q(e){let[t,n]=[-1,0];for(let r=e.length-3;n<r;n+=4)t^=e[n]|e[n+1]<<8|e[n+2]<<16|e[n+3]<<24,t=A[768+(t&
255)]^A[512+(t>>>8&255)]^A[256+(t>>>16&255)]^A[t>>>24];for(;n<e.length;n++)t=t>>>8^A[(t^e[n])&255];return~t>>>0}function ue(e,t,n,r){let s=[...e],o=r.index.prefix;if(s.length<o)return[t(e),e,!1];let i=()=>s.slice(0,o).join("");for(;n.
has(i())&&o<s.length;)o+=1;return n.has(i())?[t(i()),`*${e}`,!1]:[t(i()),e,!0]}function he(e,t,n,r){let s=new Uint8Array(
r),[o,i,a,h]=[0,0,!1,e.subarray(0,0)],m=()=>{let l=0;for(let f=1;f<=2**28;f*=128){let p=e[o++];if(l+=(p&127)*f,p<128)return l}
throw new O},g=(l,f)=>{if(l>=r)throw new O;s[l]||i++,(!s[l]||s[l]>f)&&(s[l]=f)};for(;o<e.length;){let l=m(),f=e.subarray(
o,o+l);o+=l;let p=m()+o;if(p>e.length||ie(h,f)>=0)throw new O;h=f;let x=l===t.length||n&&l>t.length;for(let w=0;x&&w<t.length;w++)
x=f[w]===t[w];a||=x;for(let w=1;x&&o<p;){let u=(e[o]&3)+1,d=e[o++]>>2,c=m(),y=c*(d||1)+o;if(u<w||u>3||![0,1,2,4].includes(
d)||!c||y>p)throw new O;if(d&&c>r)throw new O;w=u+1;for(let $=0;d&&o<y;o+=d)$+=e[o],d>1&&($+=e[o+1]<<8),d>2&&($+=(e[o+2]<<
16)+e[o+3]*2**24),g($,u);for(let $=0;o<y;$+=8)for(let v=$,L=e[o++];L;v++,L>>=1)L&1&&g(v,u)}o=p}return a?{ranks:s,count:i}:
null}async function de(e,t,n){let{rows:r,size:s,pages_a_block:o,checks:i}=n,a=u=>t.list.root+b(t.table.files.plain,{page:u}),
h=([u,d])=>u==="pages"?a(d+1):t.path(u,d),m=Object.entries({rows:r,pages:s,blocks:s*o}).filter(([,u])=>u),g=je(e,m,t.most.
reads-t.reads),l=[...new Map(g.map(u=>[h(u),u]))],f=l.reduce((u,[,[d,c]])=>u+(d==="blocks"?n.block_bytes[c]:0),0),p=await t.
files(l.map(([u,[d,c]])=>[u,i[d][c]]),f),x=(u,[d,c,y])=>{let $=d==="pages",v=$?I(u):u.subarray(0,u.length-(u[u.length-1]===
10));return ae(v,$,Math.min(y,n.count-c*y))},w=new Map(l.map(([u,d])=>[u,x(p.get(u),d)]));return g.map((u,d)=>w.get(h(u))[e[d]%
u[2]])}function je(e,[[t,n],...r],s){let o=Array.from(e,a=>[t,Math.floor(a/n),n]),i=a=>new Set(a.map(([h,m])=>`${h} ${m}`));
for(let[a,h]of r){let m=new Map;o.forEach((l,f)=>{let p=Math.floor(e[f]/h);m.set(p,[...m.get(p)??[],l])});let g=[...m].map(
([l,f])=>[l,i(f).size]).sort(([l,f],[p,x])=>x-f||l-p);for(let[l,f]of g){if(i(o).size<=s||f<2)break;o=o.map((p,x)=>Math.floor(
e[x]/h)===l?[a,l,h]:p)}}return o}function F({collection:e,q:t,filters:n,sort:r},s,o){let i=["mode=page"];t!==null&&i.push(
`q=${Se(t)}`);for(let[a,h]of Object.entries(n))i.push(`${a}=${h}`);return r&&i.push(`sort=${r}`),s!==1&&i.push(`page=${s}`),
`${o.prefix}${o.lists.find(({name:a})=>a===e).root}?${i.join("&")}`}function pe(e,t,n,r,s,o){let i=o.lists.find(({name:u})=>u===
e.collection),{page:a,order:h,q:m,filters:g}=e,l=u=>F(e,u,o),f={schema_version:o.schema_version,kind:`${o.kinds[i.name]}\
_list`,...s.as_of===null?{}:{as_of:s.as_of},query:{mode:"page",page:a,sort:h,q:m,filters:g},page:{number:a,size:s.size,count:t.
length,total_items:n,total_pages:r},links:{self:l(a),first:l(1),prev:a>1?l(a-1):null,next:a<r?l(a+1):null,last:l(r),filters:o.
prefix+i.root+o.files.filters}},p=JSON.stringify(f).slice(0,-1),x=t.flatMap((u,d)=>[_.encode(d?`,
`:`${p},"data":[
`),u]);x.push(_.encode(t.length?`
]}
`:`${p},"data":[]}
`));let w=new Uint8Array(x.reduce((u,d)=>u+d.length,0));return x.reduce((u,d)=>(w.set(d,u),u+d.length),0),w}function Se(e){
return encodeURIComponent(e).replace(/[!\x27()*]/g,t=>`%${t.charCodeAt(0).toString(16).toUpperCase()}`)}var _e=16*2**20,[M,me]=[new Map,new Map],G=0;function j(e,t){return{...t.unavailable,detail:e}}function D(e,t){return j(
`The search index is damaged: ${e}. Unless it is being published just now, build and publish it again.`,t)}var T=(e,t,n)=>Number.
isInteger(e)&&e>=t&&e<=n,V=(e,t)=>t?Math.ceil(e/t):0,C=class{constructor(t,n,r){let{most:s}=r.index;Object.assign(this,{
query:t,read:n,table:r,most:s,reads:1,bytes:0,until:Date.now()+s.seconds*1e3})}get list(){return this.table.lists.find(({
name:t})=>t===this.query.collection)}path(t,n){return b(this.table.index[t],{collection:this.query.collection,sort:this.
query.order,number:n})}async one(t){try{return await this.read(t)}catch{throw j("The search index cannot be read.",this.
table)}}async manifest(){let{collection:t}=this.query,n=await this.one(this.path("manifest"));if(!n)throw j(`There is no\
 search index of ${t} here.`,this.table);let r=me.get(t);return(!r||!le(r.raw,n))&&(r={raw:n,check:q(n),...this.parsed(n)},
me.set(t,r)),this.said=r,r}parsed(t){let{most:n,format:r}=this.table.index,{unicode:s}=this.table.folding,o;try{if(o=t.length<=
n.manifest?JSON.parse(J.decode(t)):null,o.kind!=="search_index"||!T(o.format,0,2**30))throw new O;if(o.format!==r)throw j(
`The search index has the format ${o.format}; this program reads ${r}.`,this.table);if(!fe(t)||o.collection!==this.query.
collection)throw new O;if(typeof o.unicode!="string"||!/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/.test(o.unicode))throw new O;if(o.
unicode!==s){let i=`was made by Unicode ${o.unicode}; this program folds words by ${s}`;throw j(`The search index ${i}. \
They go together in one version of the generator.`,this.table)}return this.held(o)}catch(i){throw i.status?i:D("its mani\
fest is not one that a build writes",this.table)}}held(t){let{count:n,size:r,as_of:s,shards:o,split:i,rows:a,pages_a_block:h,
block_bytes:m,sorts:g}=t,{most:l}=this.table.index,f=Math.max(1,Math.ceil(n/r)),p={keys:o,rows:V(n,a),pages:f,blocks:V(f,
h)},x=this.list.sorts.slice(1);for(let[d,[c,y]]of Object.entries(g)){if(!x.includes(d)||![2,4].includes(c)||!T(y,1,2**30))
throw new O;p[`sort/${d}`]=V(n,y)}let w={};for(let[d,c]of Object.entries(t.checks))w[d]=R(ce(c),4);if(!(T(n,0,l.records)&&
T(r,1,l.size)&&T(a,0,r-1)&&T(h,0,l.records)&&T(o,1,l.records)&&!(o&o-1)&&Object.keys(g).length===x.length&&Object.keys(w).
length===Object.keys(p).length&&Object.entries(p).every(([d,c])=>w[d].length===c)&&Array.isArray(m)&&m.length===p.blocks&&
m.every(d=>T(d,0,2**53))&&(s===null||typeof s=="string"&&/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(s))&&Array.isArray(i)&&i.every(
d=>typeof d=="string")))throw new O;return{...t,checks:w,split:new Set(i)}}async files(t,n=0){this.reads+=t.length,this.
bound("reads",this.reads),this.bound("bytes",this.bytes+n);let r=await Promise.all(t.map(([s,o])=>this.file(s,o)));return this.
bytes+=r.reduce((s,o)=>s+o.length,0),this.inTime(),new Map(t.map(([s],o)=>[s,r[o]]))}inTime(){if(Date.now()>this.until)throw j(
`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(t,n){if(n<=this.most[t])return;let r=`This\
 query needs ${n} ${t}, and at most ${this.most[t]} are allowed.`;throw k(this.table,"invalid-parameter",`${r} Ask with \
fewer or longer words, or fewer filters.`)}async file(t,n){let r=`${t} ${n}`,s=M.get(r);if(!s){if(s=await this.one(t),!s)
throw new S(`${t} is missing`);if(q(t.endsWith(".json")?I(s):s)!==n)throw new S(`${t} is not the file that the manifest \
means`);G+=M.has(r)?0:s.length}M.delete(r),M.set(r,s);for(let[o,{length:i}]of M){if(G<=_e)break;M.delete(o),G-=i}return s}};async function ge(e,t,n,r=()=>!1){let s;for(let o=1;o<=2;o++){let i=new C(e,t,n);try{return await qe(i,r)}catch(a){if(a.
status)return a;if(a instanceof O)return D("a file of it is not one that a build writes",n);if(!(a instanceof S))throw a;
if(i.said===s)return D(a.message,n);s=i.said}}return j("The registry is being replaced; ask again in a moment.",n)}async function qe(e,t){
let{query:n,table:r}=e,s=await e.manifest(),o=Me(n,s,r);if(t(o))return{etag:o};let i=await ze(await Ue(e,s),e,s),{size:a}=s,
h=Math.max(1,Math.ceil(i.length/a));if(n.page>h)throw z(n.page,h,r);let m=await de(i.subarray((n.page-1)*a,n.page*a),e,s);
return{body:pe(n,m,i.length,h,s,r),etag:o}}function Me(e,{check:t,raw:n},r){let s=q(_.encode(`${r.made} ${F(e,e.page,r)}`));
return`"${[t,n.length,s].map(o=>o.toString(16)).join("-")}"`}async function Ue(e,t){let{query:n,table:r}=e,s=c=>q(_.encode(
c))&t.shards-1,o=Object.entries(n.filters),i=o.map(([c,y])=>b(r.index.key,{filter:c,value:y})),a=[...new Set(n.q===null?
[]:P(n.q,r))],h=i.map(c=>[s(c),c,!1]);h.push(...a.map(c=>ue(c,s,t.split,r)));let m=[...new Set(h.map(([c])=>c))],g=await e.
files(m.map(c=>[e.path("keys",c),t.checks.keys[c]])),l=h.map(([c,y,$])=>(e.inTime(),he(g.get(e.path("keys",c)),_.encode(
y),$,t.count)));if(o.forEach(([c,y],$)=>{if(!l[$])throw E(n.collection,c,y,r)}),l.includes(null))return new Uint32Array(
0);let f=l.slice(o.length).map(({ranks:c})=>c),[p,...x]=l.sort((c,y)=>c.count-y.count),w=new Uint32Array(p.count);for(let c=0,
y=0;y<w.length;c++)p.ranks[c]&&(w[y++]=c);let u=w.length;for(let{ranks:c}of x){let y=u;u=0;for(let $=0;$<y;$++)c[w[$]]&&
(w[u++]=w[$])}let d=w.subarray(0,u);return n.order!=="relevance"?d:N(d,c=>f.reduce((y,$)=>y+$[c],0),3*f.length)}async function ze(e,t,n){
let{order:r}=t.query;if(r==="relevance"||r===t.list.sorts[0]||!e.length)return e;let[s,o]=n.sorts[r],i=[];for(let f=0;f<
e.length;f++)i[Math.floor(e[f]/o)]=!0;let a=Object.keys(i),h=await t.files(a.map(f=>[t.path("numbers",f),n.checks[`sort/${r}`][f]])),
m=[];for(let f of a){let p=h.get(t.path("numbers",f));if(p.length!==s*Math.min(o,n.count-f*o))throw new O;m[f]=R(p,s)}let g=f=>m[Math.
floor(f/o)][f%o],l=N(e,f=>65535-(g(f)&65535),65535);return s===2?l:N(l,f=>65535-(g(f)>>>16),65535)}Object.assign(edge,{beside:te,respond:ne,search:ge});})();
