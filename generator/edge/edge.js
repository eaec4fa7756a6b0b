(()=>{var D,N=class extends Error{};function Me(t){let e=(l,h)=>l?l.split(h).map(u=>parseInt(u,36)):[],n=l=>Uint32Array.from(e(
l," "),(h=>u=>h+=u)(0)),s=new Map,o=0;for(let l of t.folds.split(";")){let[,h,u,f,p,d]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(
l),m=e(d,"+");o+=parseInt(h,36);for(let g=0,w=o;g<parseInt(u||"1",36);g++,w+=f?2:1)s.set(w,String.fromCodePoint(...p==="\
="?m:[w+m[0]]))}let{composed:r,letters:i,signs:c,paired:a}=t;return{folds:s,composed:n(r),letters:n(i),signs:n(c),paired:n(
a)}}function X(t,e){let[n,s]=[0,t.length];for(;n<s;){let o=n+s>>1;t[o]<=e?n=o+1:s=o}return n%2===1}function Ae(t,e){if(!/[^\0-\x7f]/.
test(t))return t.toLowerCase();if(!e.folding.folds)throw new N;D??=Me(e.folding);let n=s=>D.folds.get(s.codePointAt(0))??
s;return Array.from(t,s=>{let o=s.codePointAt(0);return o<128?s.toLowerCase():D.folds.has(o)||!X(D.composed,o)?n(s):Array.
from(s.normalize("NFKD"),n).join("")}).join("")}function _(t,e){let n=o=>{let r=o.codePointAt(0);return r===39||r===8217?
"'":(r<128?/[a-z0-9]/.test(o):X(D.letters,r))?o:" "};return Array.from(Ae(t,e),n).join("").replace(/''+/g," ").replace(/'/g,
"").split(" ").flatMap(Se)}function Se(t){let e=[],n;if(Array.from(t).every(Te))return e;for(let s of t){let o=Rt(s.codePointAt(
0));o===n?e.push(e.pop()+s):e.push(s),n=o}return e}var Te=t=>t.codePointAt(0)>127&&X(D.signs,t.codePointAt(0)),Rt=t=>t>127&&
X(D.paired,t);function P(t,e){return _(t,e).flatMap(n=>{let s=Array.from(n);return s.length<3||!Rt(s[0].codePointAt(0))?
[n]:s.slice(1).map((o,r)=>s[r]+o)})}function zt(t){if([...t].length<4||!/[^s]s$/.test(t))return[];let e=[t.slice(0,-1)];
return t.endsWith("es")&&e.push(t.slice(0,-2)),t.endsWith("ies")&&e.push(`${t.slice(0,-3)}y`),e}function ht(t,e,n){let{characters:s,
words:o}=n.text,r=/%(?![0-9A-Fa-f]{2})/g,i;try{i=decodeURIComponent(t.replace(/\+/g," ").replace(r,"%25"))}catch{i="�"}
if(i.includes("�"))return{fault:`${e} is not percent-encoded UTF-8.`};if(t.search(r)>=0||[...i].length>s)return{fault:`${e}\
 is percent-encoded text of at most ${s} characters.`};let c=_(i,n).length;return c>=1&&c<=o?{text:i}:{fault:`${e} has 1\
 to ${o} words of letters and digits.`}}var Pt=10,je=60,Ee=2e4,[Ne,_e,Ue,Ie,Re,dt]=[0,1,2,3,5,99];function tt(t,e,n){let s=pt(t,e,n);return s.length||e.length>Pt?
s:e.map(([o])=>o)}function pt(t,e,n){let s=a=>Array.from(_(a,n).join("-")).slice(0,je),o=s(t),r=e.slice(0,Ee),i=r.map(([
a,l])=>Math.min(Dt(o,s(a)),Dt(o,s(l)))),c=[...r.keys()].filter(a=>i[a]<dt).sort((a,l)=>i[a]-i[l]||a-l);return[...new Set(
c.map(a=>r[a][0]))].slice(0,Pt)}function Dt(t,e){let[n,s]=[t.join(""),e.join("")];if(!n||!s)return dt;if(n===s)return Ne;
if(t.length>1&&s.startsWith(n))return _e;let o=l=>l.replace(/-/g,"");if(t.length>1&&(s.includes(`-${n}`)||o(s).startsWith(
o(n))))return Ue;let r=[3,6,10].filter(l=>t.length>=l).length,i=ze(t,e,r);if(i<=r)return Ie+i-1;let c=s.split("-"),a=n.split(
"-").filter(l=>c.includes(l));return n.split("-").includes(s)||a.some(l=>Array.from(l).length>2)?Re:dt}function ze(t,e,n){
if(Math.abs(t.length-e.length)>n)return n+1;let s=[],o=[...Array(e.length+1).keys()];for(let r=1;r<=t.length;r++){let i=[
r];for(let c=1;c<=e.length;c++){let a=Math.min(o[c]+1,i[c-1]+1,o[c-1]+(t[r-1]===e[c-1]?0:1));r>1&&c>1&&t[r-1]===e[c-2]&&
t[r-2]===e[c-1]&&(a=Math.min(a,s[c-2]+1)),i.push(a)}if(Math.min(...i)>n)return n+1;s=o,o=i}return o[e.length]}var et={page:["by","like"],count:["sort","page"]};function k(t,e,n,s){let o=t.problems[e];return{status:o[0],problem:e,detail:n||
o[2],allowed:s||null}}function qt(t,e){return{type:e.problem.type.replace(":code",t.problem),title:e.problems[t.problem][1],
status:t.status,detail:t.detail,code:t.problem,allowed:t.allowed,help:e.problem.help}}function F(t){return t.length>80?`${t.
slice(0,80)}…`:t}function mt(t,e){return new RegExp(`^(?:${t})$`).test(e)}function gt(t,e,n){return e.length<=n.longest.
value&&mt(n.patterns[t],e)}function Lt(t){return!/[,:]|\.\.|%2c|%3a/i.test(t)}function U(t,e){let n={mode:"",q:""};t.tagged&&
e.tags.forEach(s=>{n[s]="slug"});for(let s in t.filters)n[s]=t.filters[s];return et.page.concat(et.count).forEach(s=>{n[s]=
""}),n}function O(t,e){return t.replace(/:([a-z]+)/g,(n,s)=>e[s])}function De(t){return t.replace(/%([0-9A-Fa-f]{2})/g,(e,n)=>{
let s=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(s)?s:e})}function Ct(t,e){return e.prefix&&t.indexOf(
`${e.prefix}/`)===0?t.slice(e.prefix.length):t}function Bt(t,e,n,s,o){if(s.methods.indexOf(t)<0)return{status:405,allow:s.
methods};if(t==="OPTIONS")return{status:204,allow:s.methods};let r=De(e),i=Ct(r,s);for(let l=0;l<s.lists.length;l++){let h=s.
lists[l];if(i===h.root)return Pe(n,h,s,o);let u=i.indexOf(`${h.root}/`)===0?i.slice(h.root.length+1):"";if(u.length<=s.longest.
slug&&mt(s.patterns.slug,u))return n?Wt(i,s):{status:200,file:h.root+O(s.files.record,{slug:u}),record:h,slug:u}}if(Object.
prototype.hasOwnProperty.call(s.documents,i))return n?Wt(i,s):{status:200,file:s.documents[i]};let c=i.indexOf("%")>=0;return(c?
Ct(r.replace(/%2f/gi,"/"),s).toLowerCase():i).indexOf(s.api)===0&&(c||!/[^/]\.[a-z0-9]+$/.test(i))?k(s,"not-found"):{status:200,
file:i}}function Wt(t,e){return k(e,"unknown-parameter",`${e.prefix}${t} takes no parameters.`)}function Pe(t,e,n,s){if(!t)
return e.bare?{status:200,file:e.bare}:k(n,"mode-required",`Ask for a page: ${n.prefix}${e.root}?mode=page`);let o=t.split(
"&").map(d=>{let m=d.indexOf("=");return m<0?[d,""]:[d.slice(0,m),d.slice(m+1)]}),r=U(e,n),i=Object.keys(r),c=(d,m)=>s?s.
near(d,m,e,n):m;for(let d=0;d<o.length;d++){if(!o[d][0])return k(n,"invalid-parameter","The query has an empty parameter\
.",i);if(!o[d][1])return k(n,"invalid-parameter",`The parameter "${F(o[d][0])}" has no value.`,i)}for(let d=0;d<o.length;d++)
if(i.indexOf(o[d][0])<0){let m=`There is no parameter "${F(o[d][0])}" here.`;return k(n,"unknown-parameter",m,c(o[d][0],
i))}let a={};for(let d=0;d<o.length;d++){if(a[o[d][0]]!==void 0)return k(n,"repeated-parameter",`The parameter "${o[d][0]}\
" is given more than once.`);a[o[d][0]]=o[d][1]}let l=Object.keys(et);if(l.indexOf(a.mode)<0)return k(n,"mode-required",
"Only mode=page and mode=count are answered.",l);let h=et[a.mode].filter(d=>a[d]!==void 0)[0];if(h)return k(n,"invalid-p\
arameter",`${h} does not go with mode=${a.mode}.`);let u=a.q===void 0?{text:null}:s?s.text(a.q,"q",n):{text:a.q};if(u.fault)
return k(n,"invalid-parameter",u.fault);let f={collection:e.name,mode:a.mode,filters:{},q:u.text},p=a.mode==="page"?Ce(a,
e,n,c):s?s.count(a,r,e,n):{};if(p.status)return p;for(let d in p)f[d]=p[d];return We(f,a,e,n,r,s)||yt(f,e,n,r)}function Ce(t,e,n,s){
let o=(t.q===void 0?[]:["relevance"]).concat(e.sorts,e.others),r=t.sort||o[0];if(o.indexOf(r)<0)return k(n,"invalid-para\
meter",`There is no sort "${F(r)}" here.`,s(r,o));let i=t.page||"1";return mt(n.patterns.page,i)?{sort:t.sort||"",order:r,
page:Number(i)}:k(n,"invalid-parameter","A page is a whole number from 1.")}function wt(t,e,n){let s=n.ranged[e],o=s?`: \
write ${s.split("..")[0]}, or a range such as ${s}`:"";return`"${t}" has a value that no ${t} can have${o}.`}function We(t,e,n,s,o,r){
let i=Object.keys(o).filter(a=>e[a]!==void 0),c=i.filter(a=>n.fixed[a]&&e[a]!==n.fixed[a].value)[0];if(c)return k(s,"inv\
alid-parameter",`${c} can only be ${n.fixed[c].value}.`,[n.fixed[c].value]);for(let a=0;a<i.length;a++){let l=i[a],h=o[l],
u=e[l];if(n.fixed[l])t.filters[l]=u;else if(h){let p=!r&&(!Lt(u)||gt(h,u,s))?{text:u}:r?r.constraint(l,h,u,s):{};if(!p.text){
let d=p.fault||wt(l,h,s),m=k(s,"invalid-parameter",d);return p.about&&(m.about=[n.name].concat(p.about)),m}t.filters[l]=
p.text}}}function yt(t,e,n,s){let o=Object.keys(t.filters),r=o[0],i=s[r],c=!r||!i||n.unprepared.indexOf(i)<0&&Lt(t.filters[r]),
a=r?t.order===e.sorts[0]:e.sorts.indexOf(t.order)>=0;if(t.mode==="count"||t.q!==null||o.length>1||!c||!a){let u=k(n,"uns\
upported-combination");return u.query=t,u}let l={filter:r,value:t.filters[r],sort:t.order,page:t.page};if(e.fixed[r])return{
status:200,file:O(e.fixed[r].file,l),query:t};let h=r?"by":t.order===e.sorts[0]?"plain":"sorted";return{status:200,file:e.
root+O(n.files[h],l),query:t}}function Jt(t){return t.replace(/%(?:2[BbCc]|3[Aa])/g,e=>String.fromCharCode(parseInt(e.slice(1),16)))}function qe(t){let e=/^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.
exec(t),n=e[2]+(e[3]?`.${e[3]}`:"");return n==="0"?"0":e[1]+n+(e[5]?`e${e[4]==="-"?"-":""}${e[5]}`:"")}function xt(t,e,n,s){
let o=Jt(n),r=s.asked.values,i=g=>({fault:`"${t}" ${g}.`,about:null}),c=g=>({fault:wt(t,e,s),about:g?[t,g]:null}),a=g=>!gt(
e,g,s),l=g=>e==="number"?qe(g):g,h=o.indexOf("..");if(h>=0&&e in s.ranged){let g=[o.slice(0,h),o.slice(h+2)];if(!g[0]&&!g[1])
return i("has a range with neither end");let w=g.find(y=>y&&a(y));if(w)return c(w);let x=g[0]?l(g[0]):null,A=g[1]?l(g[1]):
null,v=e==="number"?Number(x)>Number(A):x>A;return x!==null&&A!==null&&v?i("has a range that ends before it begins"):{how:"\
range",low:x,high:A,text:`${x??""}..${A??""}`}}let u=/^(?:all|not):/.test(o)?o.slice(0,3):"any",f=(u==="any"?o:o.slice(4)).
split(",");if(f.some(a))return c(f.find(a));let p=f.map(l).sort(),d=p.filter((g,w)=>g!==p[w-1]);if(d.length>r)return i(`\
takes at most ${r} different values`);let m=d.join(",");return u==="not"||u==="all"&&d.length>1?{how:u,values:d,text:`${u}\
:${m}`}:{how:"any",values:d,text:m}}function Ft(t,e,n,s){let o=tt(t,e.map(r=>[r,s.index.labels[n.name][r]??""]),s);return o.
length?o:e}function Le(t,e,n,s){let o=Object.keys(e).filter(l=>e[l]),r=t.by===void 0?[]:Jt(t.by).split(","),i=r.find(l=>!o.
includes(l));if(i!==void 0){let l=`There is no filter "${F(i)}" to count by.`;return k(s,"invalid-parameter",l,Ft(i,o,n,
s))}if(r.length>s.asked.by||new Set(r).size<r.length)return k(s,"invalid-parameter",`by names at most ${s.asked.by} diff\
erent filters.`,o);if(t.like===void 0)return{by:r,like:null};if(!r.length)return k(s,"invalid-parameter","like goes with\
 by, whose values it is about.");let{text:c,fault:a}=ht(t.like,"like",s);return a?k(s,"invalid-parameter",a):{by:r,like:c}}
var Ht={text:ht,constraint:xt,count:Le,near:Ft};var L=class extends Error{},$=class extends Error{},M=new TextEncoder,Be=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}),
Gt=`,"check":"00000000"}
`;function C(t){try{return Be.decode(t)}catch{throw new $}}function H(t,e,n){let s=new Uint32Array(n+2);for(let r=0;r<t.
length;r++)s[e(t[r])+1]++;for(let r=1;r<s.length;r++)s[r]+=s[r-1];let o=new Uint32Array(t.length);for(let r=0;r<t.length;r++)
o[s[e(t[r])]++]=t[r];return o}function G(t,e){if(t.length%e)throw new $;let n=t.slice();return new Uint32Array(new{1:Uint8Array,
2:Uint16Array,4:Uint32Array}[e](n.buffer))}function Kt(t){let e=t.indexOf(10)+1;return t.subarray(e,Math.max(e,t.lastIndexOf(
10,t.length-2)))}function Zt(t,e,n){let s=[];for(let o=0,r;o<=t.length;o=r+1){r=t.indexOf(10,o),r<0&&(r=t.length);let i=e&&
r<t.length;if(s.length===n||i&&t[r-1]!==44)throw new $;s.push(t.subarray(o,r-i))}if(s.length!==n)throw new $;return s}function Vt(t){
let e=t.length-Gt.length,n=S(t.subarray(0,e)).toString(16).padStart(8,"0");return e>0&&C(t.subarray(e))===Gt.replace("00\
000000",n)}var E=new Uint32Array(1024);for(let t=0;t<256;t++){let e=t;for(let n=0;n<8;n++)e=e&1?e>>>1^3988292384:e>>>1;E[t]=
e}for(let t=256;t<1024;t++)E[t]=E[t-256]>>>8^E[E[t-256]&255];function S(t){let[e,n]=[-1,0];for(let s=t.length-3;n<s;n+=4)
e^=t[n]|t[n+1]<<8|t[n+2]<<16|t[n+3]<<24,e=E[768+(e&255)]^E[512+(e>>>8&255)]^E[256+(e>>>16&255)]^E[e>>>24];for(;n<t.length;n++)
e=e>>>8^E[(e^t[n])&255];return~e>>>0}var Je=2;function nt(t,e,n){return k(n,"not-found",`There is no page ${t}: the list has ${e} page${e===1?"":"s"}.`)}function st(t,e,n,s){
let o=s.lists.find(({name:a})=>a===t),i=!s.unprepared.includes(U(o,s)[e])?`; ${s.prefix}${o.root}${O(s.files.values,{filter:e})}\
 lists its values`:"";return{...k(s,"not-found",`No ${s.kinds[t]} has the ${e} "${n}"${i}.`),about:[t,e,n]}}async function ot(t,e,n){
if(!t.about)return t;let[s,o,r]=t.about,i=n.lists.find(({name:c})=>c===s);if(n.unprepared.includes(U(i,n)[o]))return t;try{
let c=await e(i.root+O(n.files.values,{filter:o})),{data:a}=JSON.parse(new TextDecoder().decode(c)),l=tt(Fe(r),a.values.
map(h=>[h.value,h.label]),n);return l.length?{...t,allowed:l}:t}catch(c){if(c instanceof N)throw c;return t}}async function Yt(t,e,n,s,o){
let r=_(n.replace(/-/g," "),o);if(!r.length||r.length>o.text.words)return t;let i=async c=>{let a={collection:e.name,mode:"\
page",filters:{},q:c,sort:"",order:"relevance",page:1};return JSON.parse(new TextDecoder().decode((await s(a)).body))};try{
let c=await i(r.join(" ")),a=c.data,l=r.map(f=>[f,Array.from(f).length]).sort((f,p)=>p[1]-f[1]),h=[...c.suggestions??[],
...l.map(([f])=>f)];for(let f of h.slice(0,Je))a.length||(a=(await i(f)).data);let u=pt(n,a.map(f=>[f.slug,f.name]),o);return u.
length?{...t,allowed:u}:t}catch(c){if(c instanceof N)throw c;return t}}function Fe(t){try{return decodeURIComponent(t.replace(
/\+/g," ").replace(/%(?![0-9A-Fa-f]{2})/g,"%25"))}catch{return t}}function j(t,e){return{...e.unavailable,detail:t}}function K(t,e){
return j(`The search index is damaged: ${t}. Unless it is being published just now, build and publish it again.`,e)}function He(t,e,n,s){return Bt(t,e,n,s,Ht)}function Qt(t,e){let n=new URL(e);return n.pathname=t,n.search="",n}async function rt(t,e,n,s){
let{pathname:o,search:r}=new URL(t.url),i=He(t.method,o,r.slice(1),n),c=t.method==="HEAD";if(i.allow)return Ye(i,n);if(i.
problem&&i.query&&s)return Ge(i.query,t,e,n,s);let a=m=>$t(m,t,e);if(i.problem)return Z(await ot(i,a,n),n,c);let l=i.file.
startsWith(n.api),h=i.record||i.query&&(i.query.filters.program||i.query.filters.organization),u=h?"GET":t.method,f=i.file.
includes("//")?new Response(null,{status:404}):await e(i.file,{method:u,headers:t.headers,redirect:"manual"});if(!l&&f.status!==
404)return f;if(!l){let m=await e(n.missing,{method:t.method}),{body:g,headers:w}=m.ok?m:f;return new Response(c?null:g,
{status:404,headers:w})}if(f.status===404){let m=await Ke(i,a,n);if(m)return new Response(null,{status:308,headers:{...n.
headers,location:m}});let g=await Ze(i,a,n);if(c||!i.record||!s)return Z(await ot(g,a,n),n,c);let w=x=>s(x,a,n);return Z(
await Yt(g,i.record,i.slug,w,n),n)}let p=new Headers(f.headers);for(let[m,g]of Object.entries(n.headers))p.set(m,g);(f.ok||
f.status===304)&&p.set("content-location",n.prefix+i.file);let d=c||f.status===304?null:f.body;if(h&&f.ok){let m=await f.
text();if(te(m)){let{links:g,data:w}=JSON.parse(m),x=i.record?`${n.prefix}${i.record.root}/${w.replaced_by}`:g.replaced_by;
return new Response(null,{status:308,headers:{...n.headers,location:x}})}d=c?null:m}return new Response(d,{status:f.status,
headers:p})}async function Xt(t,e,n,s){let{file:o,check:r}=n.folding;try{return await rt(t,e,n,s)}catch(c){if(!(c instanceof
N))throw c}let i=await $t(o,t,e).catch(()=>null);return!i||S(i)!==r?Z(j(`${o} cannot be read, or is another one.`,n),n):
(n.folding=JSON.parse(new TextDecoder().decode(i)),rt(t,e,n,s))}async function Ge(t,e,n,s,o){let r=e.headers.get("if-non\
e-match")??"",i=p=>(r.match(/"[^"]*"/g)??[]).includes(p),c=e.method==="HEAD",a=(p,d)=>$t(p,e,n,d),{body:l,etag:h,...u}=await o(
t,a,s,i);if(!h)return Z(await ot(u,a,s),s,c);let f={...s.headers,etag:h};return!l||r.trim()==="*"?new Response(null,{status:304,
headers:f}):new Response(c?null:l,{headers:{...f,"content-type":s.json}})}async function $t(t,e,n,s){let o=new Headers(e.
headers),r=["if-match","if-none-match","if-modified-since","if-unmodified-since","if-range"];for(let a of[...r,"range","\
accept-encoding"])o.delete(a);let i=await n(t,{headers:o},s),c=await i.arrayBuffer();return i.ok?new Uint8Array(c):null}
function te(t){return t.slice(0,99).includes('"kind":"moved"')}async function Ke(t,e,n){let[s,o]=Object.entries(t.query&&
t.query.filters||{})[0]||[],r=n.lists.find(({name:a})=>n.kinds[a]===s),i=r&&await e(r.root+O(n.files.record,{slug:o})),c=i&&
new TextDecoder().decode(i);if(!(!c||!te(c)))return n.prefix+t.file.replace(`/${s}/${o}/`,`/${s}/${JSON.parse(c).data.replaced_by}\
/`)}async function Ze(t,e,n){if(t.record)return k(n,"not-found",`There is no ${n.kinds[t.record.name]} "${t.slug}".`);if(!t.
query)return k(n,"not-found");let{collection:s,filters:o,page:r}=t.query,i=await e(t.file.replace(/[0-9]+(?=\.json$)/,"1")),
c=i?Ve(i):0;if(c&&r>c)return nt(r,c,n);let a=Object.entries(o).filter(([l])=>!n.lists.some(h=>l in h.fixed));return!i&&a.
length?st(s,...a[0],n):{...n.unavailable,detail:`The build is damaged: ${t.file} is missing. Build it again.`}}function Ve(t){
try{return JSON.parse(new TextDecoder().decode(t)).page.total_pages}catch{return 0}}function Z(t,e,n){let s={...e.headers,
...t.headers,"content-type":e.type},{status:o,title:r,detail:i}=t,c=t.problem?qt(t,e):{type:"about:blank",title:r,status:o,
detail:i};return new Response(n?null:`${JSON.stringify(c)}
`,{status:o,headers:s})}function Ye(t,e){let n={...e.headers,allow:t.allow.join(", ")};return t.status===204?new Response(
null,{status:204,headers:{...n,...e.preflight}}):new Response(`${e.not_allowed}
`,{status:t.status,headers:{...n,"content-type":e.type}})}var[Qe,Xe]=[/^-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?$/,/^[1-9][0-9]{0,6}$/];function tn(t){let e=0;for(let n=0;n<
t.length;n++)e+=t[n];return e}function en(t,e,n){let s=!0;for(let o=0;o<t.length;o++)s&&=t[o]>=e&&t[o]<=n;return s}var W=class{constructor(e,n){
Object.assign(this,{name:e,reader:n,records:n.manifest.count,...n.manifest.columns[e]})}files(e){let n=new Set(e&&Array.
from(e,o=>Math.floor(o/this.chunk))),s=Array.from({length:Math.ceil(this.records/this.chunk)},(o,r)=>[`columns/${this.name}`,
r]);return e?s.filter(([,o])=>n.has(o)):s}get listed(){return[`columns/${this.name}/values`,0]}parts(){return this.files().
flatMap(e=>{let n=this.reader.have(...e);if(!n)return[];let s=e[1]*this.chunk,o=Math.min(this.chunk,this.records-s),r=n.
subarray(0,o*this.counts),i=this.counts?G(r,this.counts):null,c=G(n.subarray(r.length),this.width);if(!(i?i.length===o&&
tn(i)===c.length:c.length===o)||!en(c,i?1:0,this.values))throw new $;return[[s,c,i]]})}numbers(){let e=new Uint32Array(this.
records);if(this.counts)throw new $;for(let[n,s]of this.parts())e.set(s,n);return e}places(e,n){let s=this.numbers(),o=new Uint32Array(
this.values+1);for(let a=0;a<s.length;a++)o[s[a]]++;let r=0;for(let a=1;a<=this.values+1;a++){let l=a>this.values?0:n?this.
values+1-a:a;r+=o[l],o[l]=r-o[l]}let i=new Map,c=0;for(let a of Array.from(e).sort((l,h)=>l-h)){for(;c<a;c++)o[s[c]]++;i.
set(a,o[s[a]])}return i}tally(e){let n=new Uint32Array(this.values+1);for(let[s,o,r]of this.parts())if(r)for(let i=0,c=0;i<
r.length;i++){let a=c+r[i];if(e[s+i])for(;c<a;)n[o[c++]]++;c=a}else for(let i=0;i<o.length;i++)e[s+i]&&n[o[i]]++;return n[0]=
0,n}lines(){let e=C(this.reader.have(...this.listed)).split(`
`);if(e.pop()!==""||e.length!==this.values)throw new $;let n;return e.map(s=>{let o=s.split("	"),[r,i]=[this.key(o[0]),Number(
o[2])],c=this.type==="text"?/^[\0-\x7f]*$/:Qe;if(!(o.length===3&&c.test(o[0])&&Xe.test(o[2])&&i<=this.records)||r<=n)throw new $;
return n=r,[o[0],o[1],i]})}key(e){return this.type==="text"?e:Number(e)}between(e,n,s){let o=this.lines().map(([c])=>this.
key(c)),r=e===null?0:o.filter(c=>c<this.key(e)).length,i=n===null?o.length:o.filter(c=>c<=this.key(n)).length;for(let[c,
a,l]of this.parts())for(let h=0,u=c,f=l?l[0]:1;h<a.length;h++,f--){for(;!f;)f=l?l[++u-c]:(u++,1);a[h]>r&&a[h]<=i&&s(u)}}};function ee(t,e,n){let s=t.replace(/^\*|^=(?=\/)/,"");if(s[0]==="/"){let i=s.slice(0,s.indexOf("/",1));return e.has(i)?s:
i}let o=[...s];if(s[0]==="="||o.length<n)return s;let r=n;for(;e.has(o.slice(0,r).join(""))&&r<o.length;)r+=1;return o.slice(
0,r).join("")}var ct=t=>`=${t}`;function I(t,{manifest:{split:e,shards:n},table:s},o=!1){return{shard:S(M.encode(ee(t,e,
s.index.prefix)))&n-1,key:M.encode(t),more:o,bodies:[]}}function ne(t,e){let[{split:n},{prefix:s}]=[e.manifest,e.table.index],
o=[...t].length<s;return!o&&n.has(ee(t,n,s))?[I(t,e),I(`*${t}`,e)]:[I(t,e,!o)]}var it=class{constructor(e){Object.assign(
this,{data:e,at:0})}next(){let e=0;for(let n=1;n<=2**28;n*=128){let s=this.data[this.at++];if(e+=(s&127)*n,s<128)return e}
throw new $}};function se(t,e){let n=new it(t),[s,o]=[0,0];for(;n.at<t.length;){let r=n.next(),i=n.at;n.at+=r;let c=n.next()+
n.at,a=0;for(;a<r&&a<o&&t[s+a]===t[i+a];)a++;if(c>t.length||a===r||a<o&&t[s+a]>t[i+a])throw new $;for(let{key:l,more:h,bodies:u}of e){
if(r<l.length||!h&&r>l.length)continue;let f=0;for(;f<l.length&&t[i+f]===l[f];)f++;f===l.length&&u.push([t.subarray(n.at,
c),r===f])}s=i,o=r,n.at=c}}function kt(t,e,{table:n},s){let{levels:o}=n.index,r=new it(t),i=0;for(;r.at<t.length;){let c=t[r.
at]>>3,a=t[r.at++]&7,l=r.next(),h=r.at,u=l*(a||1)+h;if(c<i||c>=o||![0,1,2,4].includes(a)||!l||u>t.length)throw new $;if(a&&
l>e)throw new $;i=c+1,r.at=u;for(let f=0;a&&h<u;h+=a){if(f+=t[h],a>1&&(f+=t[h+1]<<8),a>2&&(f+=(t[h+2]<<16)+t[h+3]*2**24),
f>=e)throw new $;s(f,c)}for(let f=0;h<u;f+=8)for(let p=f,d=t[h++];d;p++,d>>=1)if(d&1){if(p>=e)throw new $;s(p,c)}}}var nn=42;function Mt(t){let{query:e,list:n,table:s}=t,o=e.q===null?[]:[...new Set(P(e.q,s))],r=U(n,s);return[...Object.
entries(e.filters).map(([c,a])=>{let l=n.fixed[c]?{how:"any",values:[a]}:xt(c,r[c],a,s),h=l.how==="range"||s.unprepared.
includes(r[c])?vt:Ot;return new h(c,l,t)}),...At(o,t)]}function At(t,e){let n=new Uint8Array(e.manifest.count);return t.
map((s,o)=>new bt(s,o,t.length,n,e))}async function V(t,e,n,s){let o=[...t.flatMap(a=>a.seeks),...e],r=[...new Set(o.map(
({shard:a})=>a))],i=[...r.map(a=>["keys",a]),...t.flatMap(a=>a.files),...n];await s.fetch(i);for(let a of r)se(s.have("k\
eys",a),o.filter(l=>l.shard===a)),s.inTime();let c=new Uint16Array(s.manifest.count);for(let a of t){a.meet();let{marks:l}=a;
for(let h=0;h<c.length;h++)l[h]&&c[h]++;s.inTime()}return c}var at=class{constructor(e,{how:n,values:s,low:o,high:r},i){
let c=new Uint8Array(i.manifest.count);Object.assign(this,{name:e,how:n,values:s,low:o,high:r,reader:i,marks:c,seeks:[],
files:[]})}meet(){let{how:e,marks:n}=this,s=this.values??[null];s.forEach((r,i)=>{e==="all"?this.each(i,c=>n[c]+=n[c]===
i):this.each(i,c=>n[c]=1)});let o=e==="all"?s.length:1;for(let r=0;r<n.length;r++)n[r]=n[r]>=o==(e!=="not")}},Ot=class extends at{constructor(e,n,s){
super(e,n,s),this.keys=this.values.map(o=>O(s.table.index.key,{filter:e,value:o})),this.seeks=[...this.keys,...this.keys.
map(ct)].map(o=>I(o,s))}each(e,n){let{name:s,values:o,reader:r,marks:i}=this,[c]=this.seeks[e].bodies;if(!c)throw st(r.query.
collection,s,o[e],r.table);kt(c[0],i.length,r,(a,l)=>l||n(a))}lists(){let{name:e,how:n,values:s,reader:o,keys:r}=this;return n===
"not"?[]:s.map((i,c)=>{let a=s.length>1?new Uint8Array(this.marks.length):this.marks;s.length>1&&this.each(c,f=>a[f]=1);
let{fixed:l,root:h}=o.list;return{path:l[e]?l[e].file:h+O(o.table.files.by,{filter:e,value:i,page:":page"}),pages:this.seeks[r.
length+c],marks:a}})}},vt=class extends at{constructor(e,n,s){super(e,n,s),this.column=new W(e,s),this.files=[this.column.
listed,...this.column.files()]}each(e,n){let{low:s,high:o,values:r,column:i}=this;r?i.between(r[e],r[e],n):i.between(s,o,
n)}},bt=class{constructor(e,n,s,o,r){let{count:i,language:c}=r.manifest;Object.assign(this,{place:n,words:s,named:o,reader:r,
marks:new Uint8Array(i),files:[]});let a=/^en(-|$)/.test(c)?zt(e):[];this.own=ne(e,r),this.seeks=[...this.own,...a.map(l=>I(
l,r))]}meet(){let{marks:e,named:n,place:s,words:o,reader:r,own:i}=this,{index:c}=r.table;for(let a of this.seeks)for(let[
l,h]of a.bodies){let u=h&&a.key[0]!==nn,f=u?c.whole:c.begun,p=u&&i.includes(a)?c.named+o-1:-1;kt(l,e.length,r,(d,m)=>{e[d]<
f[m]?e[d]=f[m]:m===p&&n[d]===s&&n[d]++})}}};function B({collection:t,mode:e,q:n,filters:s,sort:o,by:r,like:i},c,a){let l=[`mode=${e}`];n!==null&&l.push(`q=${oe(n)}`);
for(let[h,u]of Object.entries(s))l.push(`${h}=${u}`);return r&&r.length&&l.push(`by=${r}`),typeof i=="string"&&l.push(`l\
ike=${oe(i)}`),o&&l.push(`sort=${o}`),c>1&&l.push(`page=${c}`),`${a.prefix}${a.lists.find(({name:h})=>h===t).root}?${l.join(
"&")}`}function re(t,e,n,s,o,r,i){let c=i.lists.find(({name:w})=>w===t.collection),{page:a,order:l,q:h,filters:u}=t,f=w=>B(
t,w,i),p={schema_version:i.schema_version,kind:`${i.kinds[c.name]}_list`,...r.as_of===null?{}:{as_of:r.as_of},query:{mode:"\
page",page:a,sort:l,q:h,filters:u},page:{number:a,size:r.size,count:e.length,total_items:n,total_pages:s},links:{self:f(
a),first:f(1),prev:a>1?f(a-1):null,next:a<s?f(a+1):null,last:f(s),filters:i.prefix+c.root+i.files.filters}};h!==null&&(p.
suggestions=o);let d=JSON.stringify(p).slice(0,-1),m=e.flatMap((w,x)=>[M.encode(x?`,
`:`${d},"data":[
`),w]);m.push(M.encode(e.length?`
]}
`:`${d},"data":[]}
`));let g=new Uint8Array(m.reduce((w,x)=>w+x.length,0));return m.reduce((w,x)=>(g.set(x,w),w+x.length),0),g}function oe(t){
return encodeURIComponent(t).replace(/[!\x27()*]/g,e=>`%${e.charCodeAt(0).toString(16).toUpperCase()}`)}function ie(t,e,n,{list:s,table:o,manifest:{as_of:r}}){let{q:i,filters:c,by:a,like:l}=t,h={collection:s.name,mode:"page",
q:i,filters:c,sort:"",order:s.sorts[0],page:1},{file:u}=yt(h,s,o,U(s,o)),f=o.index.most.values,p=n.map(([m,g])=>{let w=g.
slice(0,f).map(([v,y,b])=>({value:v,label:y,count:b})),[x,A]=[g.length,g.length>f];return[m,{label:o.index.labels[s.name][m],
total_values:x,truncated:A,values:w}]}),d={schema_version:o.schema_version,kind:`${o.kinds[s.name]}_count`,...r===null?{}:
{as_of:r},query:{mode:t.mode,q:i,filters:c,by:a,like:l},total_items:e,links:{self:B(t,1,o),list:u?o.prefix+u:B(h,1,o)},counts:Object.
fromEntries(p)};return M.encode(`${JSON.stringify(d)}
`)}var q=(t,e,n)=>Number.isInteger(t)&&t>=e&&t<=n,St=(t,e)=>typeof t=="string"&&e.test(t);function ae(t,e,n){let{most:s,format:o}=n.
index,{unicode:r}=n.folding,i;try{if(i=t.length<=s.manifest?JSON.parse(C(t)):null,i.kind!=="search_index"||!q(i.format,0,
2**30))throw new $;if(i.format!==o)throw j(`The search index has the format ${i.format}; this program reads ${o}.`,n);if(!Vt(
t)||i.collection!==e.name)throw new $;if(!St(i.unicode,/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/))throw new $;if(i.unicode!==r){
let c=`was made by Unicode ${i.unicode}; this program folds words by ${r}`;throw j(`The search index ${c}. They go toget\
her in one version of the generator.`,n)}return sn(i,e,n.index)}catch(c){throw c.status?c:K("its manifest is not one tha\
t a build writes",n)}}function sn(t,{name:e,sorts:n,others:s},{most:o,rows:{small:r,large:i,many:c,few:a},labels:l}){let h=[
...n.slice(1),...s].map(T=>T.replace("-","")),u=new Set([...Object.keys(l[e]),...h]),{count:f,size:p,as_of:d,language:m,
shards:g,split:w,rows:x,row_bytes:A,columns:v,files:y}=t,b=i;for(;b*c<f;)b*=2;let R=Math.ceil(f/(a*b))*b,Q=R>b?[r,b,R]:[
r,b],z=ce(y.spell),J={keys:g,spell:z};for(let T of Q.slice(1))J[`rows/${T}`]=Math.ceil(f/T);for(let T of u){let{type:ft,
values:ut,width:be,counts:Ut,chunk:It}=v[T];if(!(["text","number"].includes(ft)&&q(ut,0,Ut?2**30:f)&&be===(ut<2**8?1:ut<
2**16?2:4)&&[0,1,2,4].includes(Ut)&&q(It,1,2**30)))throw new $;J[`columns/${T}`]=Math.ceil(f/It),J[`columns/${T}/values`]=
1}if(!(q(f,0,o.records)&&q(p,1,o.size)&&q(g,1,o.records)&&!(g&g-1)&&z>0&&!(z&z-1)&&q(A,0,2**30)&&JSON.stringify(x)===JSON.
stringify(Q)&&Object.keys(v).length===u.size&&Object.keys(y).length===Object.keys(J).length&&Object.entries(J).every(([T,
ft])=>ce(y[T])===ft)&&St(m,/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/)&&(d===null||St(d,/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/))&&
Array.isArray(w)&&w.every(T=>typeof T=="string")))throw new $;return{...t,split:new Set(w),spelled:z}}function ce(t){let e=/^[A-Za-z0-9+/]*(={0,2})$/.
exec(t)[1].length;return t.length%4?-1:(t.length/4*3-e)/4}function Tt({files:t,rows:[e,n]},s,o){if(s===`rows/${e}`)return Tt(
{files:t,rows:[]},`rows/${n}`,Math.floor(o*e/n));let r=atob(t[s].substr(Math.floor(o/3)*16,16));return[3,2,1,0].reduce((i,c)=>i*
256+r.charCodeAt(o%3*4+c),0)}var on=16*2**20,[Y,jt]=[new Map,new Map],Et=0;function rn(t,e){Y.delete(t)||(Et+=e.length),Y.set(t,e);for(let[n,{length:s}]of Y){
if(Et<=on)break;Y.delete(n),Et-=s}return e}var le=t=>t.toString(16).padStart(8,"0");function cn(t){let e=t.subarray(0,-9);
return M.encode(`${le(S(e))}
`).every((s,o)=>s===t[e.length+o])?e:null}var lt=class{constructor(e,n,s,o){let{most:r}=s.index,i=Date.now()+r.seconds*1e3,
c=s.lists.find(({name:a})=>a===e.collection);Object.assign(this,{query:e,read:n,table:s,again:o,most:r,until:i,list:c}),
this.begin(o?null:jt.get(c.name))}begin(e){Object.assign(this,{manifest:e,reads:1,bytes:0,held:new Map})}async one(e,n=this.
again){try{return await this.read(e,n)}catch{throw j("The search index cannot be read.",this.table)}}async current(){let{
name:e}=this.list,n=await this.one(O(this.table.index.manifest,{collection:e}));if(!n)throw j(`There is no search index \
of ${e} here.`,this.table);let s=S(n),o=jt.get(e);return(!o||o.check!==s||o.bytes!==n.length)&&(o={...ae(n,this.list,this.
table),check:s,bytes:n.length},jt.set(e,o)),o}async fetch(e,n=[],s=0){let{manifest:o,held:r}=this,i=new Map;for(let[a,l]of e){
let h=Tt(o,a,l),u=O(this.table.index.file,{collection:this.list.name,what:a,number:`${l}-${le(h)}`});i.set(`${a},${l}`,[
u,h,a===`rows/${o.rows[0]}`])}for(let[a,l]of n)i.set(a,[a,l]);this.bound(i.size,s);let c=async([a,[l,h,u]])=>{let f=a===
l,p=Y.get(`${l} ${h}`),d=w=>{let x=w&&(f?Kt(w):u?cn(w):w);return x&&(p||u||S(x)===h)?x:null},m=p??await this.one(l),g=d(
m);if(f&&!g&&!this.again&&this.reads<this.most.reads&&(this.reads++,m=await this.one(l,!0),g=d(m)),g)r.set(a,g),rn(`${l}\
 ${h}`,m),this.bytes+=m.length;else if(!f)throw new L(`${l} is ${m?"not the file that the manifest means":"missing"}`)};
await Promise.all([...i].map(c)),this.bound(0,0),this.inTime()}have(e,n){return this.held.get(`${e},${n}`)}page(e){return this.
held.get(e)}inTime(){if(Date.now()>this.until)throw j(`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(e,n){
this.reads+=e;let s={reads:this.reads,bytes:this.bytes+n};for(let o in s){if(s[o]<=this.most[o])continue;let r=`This que\
ry needs ${s[o]} ${o}, and at most ${this.most[o]} are allowed.`;throw k(this.table,"invalid-parameter",`${r} Ask with f\
ewer or longer words, or fewer filters.`)}}};var an=4096;async function ue(t,e,n){let s=Array.from(t),{count:o,rows:r}=n.manifest,i=r.map(u=>({size:u,count:o,what:`r\
ows/${u}`,places:new Map(s.map(f=>[f,f]))})),c=[...i,...e.flatMap(u=>ln(u,s,n))],a=await fe(s,c,n),l=s.filter(u=>!a.has(
u)),h=l.length?await fe(l,i,n):a;return s.map(u=>a.get(u)??h.get(u))}function ln({path:t,pages:e,marks:n,places:s},o,{manifest:{
size:r,count:i}}){let[c]=e.bodies,a=s??fn(n,o);if(!c||!a.size)return[];let l=G(c[0],4),h=n?0:i;if(n)for(let u=0;u<i;u++)
h+=n[u];if(l.length!==Math.max(1,Math.ceil(h/r)))throw new $;return[{size:r,count:h,path:t,checks:l,places:a}]}function fn(t,e){
let n=new Map,[s,o]=[0,0];for(let r of e.filter(i=>t[i]).sort((i,c)=>i-c)){for(;o<r;o++)s+=t[o];n.set(r,s)}return n}async function fe(t,e,n){
let{row_bytes:s}=n.manifest,o=un(t,e,s,n.most.reads-n.reads),r=[...new Set(o)],i=r.filter(({source:u})=>u.what).map(({source:u,
n:f})=>[u.what,f]),c=({source:u,n:f})=>O(u.path,{page:f+1}),a=r.filter(({source:u})=>u.path).map(u=>[c(u),u.source.checks[u.
n]]);await n.fetch(i,a,r.reduce((u,{source:f})=>u+f.size*s,0));let l=new Map;for(let u of r){let{source:f,n:p}=u,d=f.what?
n.have(f.what,p):n.page(c(u));if(!d)continue;let m=f.what&&d[d.length-1]===10?d.subarray(0,-1):d;l.set(u,Zt(m,!f.what,Math.
min(f.size,f.count-p*f.size)))}let h=new Map;return t.forEach((u,f)=>{let{source:p}=o[f],d=l.get(o[f]);d&&h.set(u,d[p.places.
get(u)%p.size])}),h}function un(t,e,n,s){let o=e.flatMap(i=>{let c=new Map;return t.forEach((a,l)=>{if(!i.places.has(a))
return;let h=Math.floor(i.places.get(a)/i.size);c.has(h)||c.set(h,{source:i,n:h,rows:[]}),c.get(h).rows.push(l)}),[...c.
values()].sort((a,l)=>a.n-l.n)}),r=hn(t,o,n);for(;new Set(r).size>s&&dn(r,o););return r}function hn(t,e,n){let s=new Map(
e.map(i=>[i,i.rows.length])),o=i=>(an+i.source.size*n)/s.get(i),r=[];for(let i=t.length;i;){let c=e[0];for(let l of e)o(
l)<o(c)&&(c=l);let a=c.rows.filter(l=>!r[l]);i-=a.length;for(let l of a)r[l]=c;for(let l of e)s.set(l,s.get(l)-l.rows.filter(
h=>a.includes(h)).length)}return r}function dn(t,e){let n=new Map;t.forEach((r,i)=>n.set(r,[...n.get(r)??[],i]));let s,o=1/0;
for(let r of e){let i=new Set(r.rows),a=[...new Set(r.rows.map(f=>t[f]))].filter(f=>f!==r&&n.get(f).every(p=>i.has(p))),
l=n.has(r)?0:1,h=a.length-l;if(h<=0)continue;let u=(r.source.size*l-a.reduce((f,{source:p})=>f+p.size,0))/h;u<o&&([s,o]=
[{file:r,rows:a.flatMap(f=>n.get(f))},u])}for(let r of s?.rows??[])t[r]=s.file;return s}var pn=2**25;function mn(t,e){let n=Math.floor(e*256/Math.max(1,t)),s=32-Math.clz32(n);return(s-9)*8+(n>>>s-4&7)+1}function he(t,e,n,s){
let o=new Uint32Array(s);for(let{marks:c}of e){let a=0;for(let h=0;h<s;h++)c[h]&&a++;let l=mn(a,s);for(let h=0;h<t.length;h++)
o[t[h]]+=l*c[t[h]]}for(let c=0;c<t.length;c++)n[t[c]]===e.length&&(o[t[c]]+=pn);let r=8191,i=H(t,c=>r-(o[c]&r),r);return H(
i,c=>r-(o[c]>>>13),r)}var[gn,de,Nt]=[4,8,2],[wn,yn,pe]=[12,20,2];function me(t,e){let n=[...t];return[`^${n.slice(0,2).join("")}`,`${n.slice(-2).
join("")}$`].map(o=>S(M.encode(o))&e-1)}function ge(t){let e=new Map;for(let n of t)for(let s of C(n).split(`
`).slice(0,-1)){let o=s.indexOf("	");if(o>=0&&!/^\t([1-9]\d?)?$/.test(s.slice(o)))throw new $;e.set(o<0?s:s.slice(0,o),o<
0?1:Number(s.slice(o+1)||1))}return e}function we(t,e,n){if(n.length>pe)return[];let s=(n.length?n:[...t.keys()]).map(r=>kn(
t,r,e)),o=new Map;for(let r of n.length?$n(s):s.flat().map(i=>[i])){let[i,c,a,l]=[0,0,0,1/0],h=[],u=r.filter((f,p)=>!p||
!xn(f,r[0])).sort((f,p)=>f.start-p.start);for(let f of u)f.start<i&&(c=1/0),h.push(...t.slice(i,f.start),...f.words),i=f.
end,c+=f.end-f.start,a+=f.distance,l=Math.min(l,...f.words.map(p=>e.get(p)));c<=pe&&o.set([...h,...t.slice(i)].join(" "),
[a,-l])}return ye(o,yn).map(([r])=>r)}var xn=(t,e)=>t.start===e.start&&t.end===e.end&&String(t.words)===String(e.words),
$n=([t,...e])=>e.length?t.flatMap(n=>e[0].map(s=>[n,s])):t.map(n=>[n]);function ye(t,e){let n=o=>Array.from(o,r=>r.codePointAt(
0).toString(16).padStart(6,"0")).join(""),s=([o,[r,i]],[c,[a,l]])=>r-a||i-l||(n(o)<n(c)?-1:1);return[...t].sort(s).slice(
0,e)}function kn(t,e,n){let s=(i,c,a,l)=>({start:i,end:c,distance:a,words:l}),o=On(t[e],n,t.length===1).map(([i,[c]])=>s(
e,e+1,c,[i])),r=vn(t[e],n);r.length&&o.push(s(e,e+1,0,r));for(let i of[e-1,e]){let c=t.slice(Math.max(i,0),i+2).join("");
i>=0&&i<t.length-1&&n.has(c)&&o.push(s(i,i+2,0,[c]))}return o}function On(t,e,n){let s=[...t],o=new Map,r=(i,c,a)=>{let[
l,h]=[s.slice(0,c).join(""),s.slice(-c).join("")];for(let[u,f]of e){if(!(u.startsWith(l)||u.endsWith(h))||u===t||o.has(u))
continue;let p=[...u];Math.max(s.length,p.length)<a||xe(s,p,i)&&o.set(u,[i,-f])}};return r(1,Math.max(1,s.length-1>>1),n?
gn:Nt),s.length+2>=de&&r(2,2,de),ye(o,wn)}function xe(t,e,n){if(Math.abs(t.length-e.length)>n)return!1;let s=0;for(;s<t.
length&&s<e.length&&t[s]===e[s];)s++;let[o,r]=[t.slice(s),e.slice(s)];if(!n||!o.length||!r.length)return Math.max(o.length,
r.length)<=n;let i=(c,a)=>xe(o.slice(c),r.slice(a),n-1);return i(1,1)||i(1,0)||i(0,1)||o.length>1&&o[0]===r[1]&&o[1]===r[0]&&
i(2,2)}function vn(t,e){let n=[...t],s=[[]];for(let o=Nt;o<=n.length;o++)for(let r=0;r<=o-Nt;r++){let i=n.slice(r,o).join(
"");!s[r]||i===t||!e.has(i)||(!s[o]||s[r].length+1<s[o].length)&&(s[o]=[...s[r],i])}return s[n.length]??[]}var[bn,Mn]=[5,12];async function ke(t,e){try{return await An(t,e)}catch(n){if(n.status===400)return[];throw n}}async function An(t,e){
let{query:n,table:s,manifest:o}=e,r=y=>_(y,s),i=y=>P(y,s),c=t.filter(({named:y})=>!y),a=$e(i(n.q),t.filter(({named:y})=>y)),
l=r(n.q),h=[...l.keys()].filter(y=>!i(l[y]).every(b=>a.get(b).some(Boolean))),u=[...new Set(l.flatMap(y=>me(y,o.spelled)))];
await e.fetch(u.map(y=>["spell",y]));let f=ge(u.sort((y,b)=>y-b).map(y=>e.have("spell",y))),p=s.text,d=y=>[...y].length<=
p.characters&&r(y).length&&r(y).length<=p.words,m=we(l,f,h).filter(d).slice(0,Mn),g=y=>r(y).length===1&&!c.length,w=i(m.
filter(y=>!g(y)).join(" ")),x=At([...new Set(w)],e);x.length&&await V(x,[],[],e);let A=$e(w,x),v=y=>{let b=[...c.map(({marks:R})=>R),
...i(y).map(R=>A.get(R))];return b[0].some((R,Q)=>b.every(z=>z[Q]))};return m.filter(y=>g(y)||v(y)).slice(0,bn)}var $e=(t,e)=>new Map(
[...new Set(t)].map((n,s)=>[n,e[s].marks]));var Sn=2;async function ve(t,e,n,s=()=>!1){let o;for(let r=1;r<=2;r++){let i=new lt(t,e,n,r>1);try{return await Tn(i,s)}catch(c){
if(c.status)return c;if(c instanceof $)return K("a file of it is not one that a build writes",n);if(!(c instanceof L))throw c;
if(i.manifest===o)return K(c.message,n);o=i.manifest}}return j("The registry is being replaced; ask again in a moment.",
n)}async function Tn(t,e){let n=t.manifest&&jn(Oe(t,e)),[s,o]=await Promise.all([t.current(),n]);return s===t.manifest?o():
(t.begin(s),Oe(t,e))}var jn=t=>t.then(e=>()=>e,e=>()=>{throw e});async function Oe(t,e){let{query:n,table:s,manifest:o}=t,
r=En(n,o,s);return e(r)?{etag:r}:{body:await(n.mode==="count"?_n(t):Nn(t)),etag:r}}function En(t,{check:e,bytes:n},s){let o=S(
M.encode(`${s.made} ${B(t,t.page??1,s)}`));return`"${[e,n,o].map(r=>r.toString(16)).join("-")}"`}async function Nn(t){let{
query:e,table:n,manifest:s,list:o}=t,{size:r}=s,i=Mt(t),c=e.order==="relevance"||e.order===o.sorts[0]?null:new _t(e.order,
t),a=await V(i,c?c.seeks:[],c?c.early:[],t),l=new Uint32Array(s.count),h=0;for(let v=0;v<a.length;v++)a[v]===i.length&&(l[h++]=
v);let u=l.subarray(0,h),f=i.filter(({named:v})=>v),p=()=>he(u,f,f[0].named,s.count),d=e.order==="relevance"?p():c?await c.
ordered(u):u,m=Math.max(1,Math.ceil(h/r));if(e.page>m)throw nt(e.page,m,n);let g=d.subarray((e.page-1)*r,e.page*r),w=i.flatMap(
v=>v.lists?.()??[]),x=await ue(g,c?[...w,...c.lists(g)]:w,t),A=f.length&&!h?await ke(i,t):[];return re(e,x,h,m,A,s,n)}var _t=class{constructor(e,n){
let{list:s,table:o}=n;Object.assign(this,{reader:n,down:e[0]==="-",column:new W(e.replace("-",""),n)});let r=this.column.
files();this.early=r.length<=Sn?r:[],this.seeks=s.sorts.includes(e)?[I(ct(e),n)]:[],this.path=s.root+O(o.files.sorted,{sort:e,
page:":page"})}async ordered(e){let{column:n,down:s,early:o,reader:r}=this;o.length||await r.fetch(n.files(e));let[i,c]=[
n.numbers(),n.values];return H(e,a=>i[a]?s?c-i[a]:i[a]-1:c,c)}lists(e){let{column:n,down:s,early:o,seeks:r,path:i}=this;
return!o.length||!r.length?[]:[{path:i,pages:r[0],places:n.places(e,s)}]}};async function _n(t){let{query:e,table:n,manifest:s}=t,
o=Mt(t),r=e.by.map(u=>new W(u,t)),i=r.map(({name:u})=>o.filter(f=>f.name!==u)),c=r.flatMap((u,f)=>[u.listed,...i[f].length?
u.files():[]]),a=await V(o,[],c,t),l=0;for(let u=0;u<a.length;u++)a[u]===o.length&&l++;let h=r.map((u,f)=>{let p=u.lines();
if(i[f].length){let d=o.find(w=>w.name===u.name),m=new Uint8Array(a.length);for(let w=0;w<a.length;w++)m[w]=a[w]-(d?d.marks[w]:
0)===i[f].length;let g=u.tally(m);p.forEach((w,x)=>w[2]=g[x+1]),p=p.filter(w=>w[2])}return e.like!==null&&(p=p.filter(d=>Un(
e.like,d.slice(0,2),n))),p.sort((d,m)=>m[2]-d[2]||(d[0]<m[0]?-1:1)),t.inTime(),[u.name,p]});return ie(e,l,h,t)}function Un(t,e,n){
let s=e.flatMap(o=>P(o,n));return P(t,n).every(o=>s.some(r=>r.startsWith(o)))}Object.assign(edge,{beside:Qt,respond:rt,respondFolding:Xt,search:ve});})();
