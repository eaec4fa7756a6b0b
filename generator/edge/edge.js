(()=>{var D,N=class extends Error{};function Ae(t){let e=(l,h)=>l?l.split(h).map(f=>parseInt(f,36)):[],n=l=>Uint32Array.from(e(
l," "),(h=>f=>h+=f)(0)),s=new Map,o=0;for(let l of t.folds.split(";")){let[,h,f,u,p,d]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(
l),m=e(d,"+");o+=parseInt(h,36);for(let w=0,g=o;w<parseInt(f||"1",36);w++,g+=u?2:1)s.set(g,String.fromCodePoint(...p==="\
="?m:[g+m[0]]))}let{composed:r,letters:i,signs:c,paired:a}=t;return{folds:s,composed:n(r),letters:n(i),signs:n(c),paired:n(
a)}}function X(t,e){let[n,s]=[0,t.length];for(;n<s;){let o=n+s>>1;t[o]<=e?n=o+1:s=o}return n%2===1}function Se(t,e){if(!/[^\0-\x7f]/.
test(t))return t.toLowerCase();if(!e.folding.folds)throw new N;D??=Ae(e.folding);let n=s=>D.folds.get(s.codePointAt(0))??
s;return Array.from(t,s=>{let o=s.codePointAt(0);return o<128?s.toLowerCase():D.folds.has(o)||!X(D.composed,o)?n(s):Array.
from(s.normalize("NFKD"),n).join("")}).join("")}function U(t,e){let n=o=>{let r=o.codePointAt(0);return r===39||r===8217?
"'":(r<128?/[a-z0-9]/.test(o):X(D.letters,r))?o:" "};return Array.from(Se(t,e),n).join("").replace(/''+/g," ").replace(/'/g,
"").split(" ").flatMap(Te)}function Te(t){let e=[],n;if(Array.from(t).every(je))return e;for(let s of t){let o=It(s.codePointAt(
0));o===n?e.push(e.pop()+s):e.push(s),n=o}return e}var je=t=>t.codePointAt(0)>127&&X(D.signs,t.codePointAt(0)),It=t=>t>127&&
X(D.paired,t);function P(t,e){return U(t,e).flatMap(n=>{let s=Array.from(n);return s.length<3||!It(s[0].codePointAt(0))?
[n]:s.slice(1).map((o,r)=>s[r]+o)})}function zt(t){if([...t].length<4||!/[^s]s$/.test(t))return[];let e=[t.slice(0,-1)];
return t.endsWith("es")&&e.push(t.slice(0,-2)),t.endsWith("ies")&&e.push(`${t.slice(0,-3)}y`),e}function ht(t,e,n){let{characters:s,
words:o}=n.text,r=/%(?![0-9A-Fa-f]{2})/g,i;try{i=decodeURIComponent(t.replace(/\+/g," ").replace(r,"%25"))}catch{i="�"}
if(i.includes("�"))return{fault:`${e} is not percent-encoded UTF-8.`};if(t.search(r)>=0||[...i].length>s)return{fault:`${e}\
 is percent-encoded text of at most ${s} characters.`};let c=U(i,n).length;return c>=1&&c<=o?{text:i}:{fault:`${e} has 1\
 to ${o} words of letters and digits.`}}var Pt=10,Ee=60,Ne=2e4,[Ue,_e,Re,Ie,ze,dt]=[0,1,2,3,5,99];function tt(t,e,n){let s=pt(t,e,n);return s.length||e.length>Pt?
s:e.map(([o])=>o)}function pt(t,e,n){let s=a=>Array.from(U(a,n).join("-")).slice(0,Ee),o=s(t),r=e.slice(0,Ne),i=r.map(([
a,l])=>Math.min(Dt(o,s(a)),Dt(o,s(l)))),c=[...r.keys()].filter(a=>i[a]<dt).sort((a,l)=>i[a]-i[l]||a-l);return[...new Set(
c.map(a=>r[a][0]))].slice(0,Pt)}function Dt(t,e){let[n,s]=[t.join(""),e.join("")];if(!n||!s)return dt;if(n===s)return Ue;
if(t.length>1&&s.startsWith(n))return _e;let o=l=>l.replace(/-/g,"");if(t.length>1&&(s.includes(`-${n}`)||o(s).startsWith(
o(n))))return Re;let r=[3,6,10].filter(l=>t.length>=l).length,i=De(t,e,r);if(i<=r)return Ie+i-1;let c=s.split("-"),a=n.split(
"-").filter(l=>c.includes(l));return n.split("-").includes(s)||a.some(l=>Array.from(l).length>2)?ze:dt}function De(t,e,n){
if(Math.abs(t.length-e.length)>n)return n+1;let s=[],o=[...Array(e.length+1).keys()];for(let r=1;r<=t.length;r++){let i=[
r];for(let c=1;c<=e.length;c++){let a=Math.min(o[c]+1,i[c-1]+1,o[c-1]+(t[r-1]===e[c-1]?0:1));r>1&&c>1&&t[r-1]===e[c-2]&&
t[r-2]===e[c-1]&&(a=Math.min(a,s[c-2]+1)),i.push(a)}if(Math.min(...i)>n)return n+1;s=o,o=i}return o[e.length]}var et={page:["by","like"],count:["sort","page"]};function k(t,e,n,s){let o=t.problems[e];return{status:o[0],problem:e,detail:n||
o[2],allowed:s||null}}function Lt(t,e){return{type:e.problem.type.replace(":code",t.problem),title:e.problems[t.problem][1],
status:t.status,detail:t.detail,code:t.problem,allowed:t.allowed,help:e.problem.help}}function H(t){return t.length>80?`${t.
slice(0,80)}…`:t}function mt(t,e){return new RegExp(`^(?:${t})$`).test(e)}function gt(t,e,n){return e.length<=n.longest.
value&&mt(n.patterns[t],e)}function Bt(t){return!/[,:]|\.\.|%2c|%3a/i.test(t)}function _(t,e){let n={mode:"",q:""};t.tagged&&
e.tags.forEach(s=>{n[s]="slug"});for(let s in t.filters)n[s]=t.filters[s];return et.page.concat(et.count).forEach(s=>{n[s]=
""}),n}function O(t,e){return t.replace(/:([a-z]+)/g,(n,s)=>e[s])}function Pe(t){return t.replace(/%([0-9A-Fa-f]{2})/g,(e,n)=>{
let s=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(s)?s:e})}function Ct(t,e){return e.prefix&&t.indexOf(
`${e.prefix}/`)===0?t.slice(e.prefix.length):t}function Jt(t,e,n,s,o){if(s.methods.indexOf(t)<0)return{status:405,allow:s.
methods};if(t==="OPTIONS")return{status:204,allow:s.methods};let r=Pe(e),i=Ct(r,s);for(let l=0;l<s.lists.length;l++){let h=s.
lists[l];if(i===h.root)return Ce(n,h,s,o);let f=i.indexOf(`${h.root}/`)===0?i.slice(h.root.length+1):"";if(f.length<=s.longest.
slug&&mt(s.patterns.slug,f))return n?Wt(i,s):{status:200,file:h.root+O(s.files.record,{slug:f}),record:h,slug:f}}if(Object.
prototype.hasOwnProperty.call(s.documents,i))return n?Wt(i,s):{status:200,file:s.documents[i]};let c=i.indexOf("%")>=0;return(c?
Ct(r.replace(/%2f/gi,"/"),s).toLowerCase():i).indexOf(s.api)===0&&(c||!/[^/]\.[a-z0-9]+$/.test(i))?k(s,"not-found"):{status:200,
file:i}}function Wt(t,e){return k(e,"unknown-parameter",`${e.prefix}${t} takes no parameters.`)}function Ce(t,e,n,s){if(!t)
return e.bare?{status:200,file:e.bare}:k(n,"mode-required",`Ask for a page: ${n.prefix}${e.root}?mode=page`);let o=t.split(
"&").map(d=>{let m=d.indexOf("=");return m<0?[d,""]:[d.slice(0,m),d.slice(m+1)]}),r=_(e,n),i=Object.keys(r),c=(d,m)=>s?s.
near(d,m,e,n):m;for(let d=0;d<o.length;d++){if(!o[d][0])return k(n,"invalid-parameter","The query has an empty parameter\
.",i);if(!o[d][1])return k(n,"invalid-parameter",`The parameter "${H(o[d][0])}" has no value.`,i)}for(let d=0;d<o.length;d++)
if(i.indexOf(o[d][0])<0){let m=`There is no parameter "${H(o[d][0])}" here.`;return k(n,"unknown-parameter",m,c(o[d][0],
i))}let a={};for(let d=0;d<o.length;d++){if(a[o[d][0]]!==void 0)return k(n,"repeated-parameter",`The parameter "${o[d][0]}\
" is given more than once.`);a[o[d][0]]=o[d][1]}let l=Object.keys(et);if(l.indexOf(a.mode)<0)return k(n,"mode-required",
"Only mode=page and mode=count are answered.",l);let h=et[a.mode].filter(d=>a[d]!==void 0)[0];if(h)return k(n,"invalid-p\
arameter",`${h} does not go with mode=${a.mode}.`);let f=a.q===void 0?{text:null}:s?s.text(a.q,"q",n):{text:a.q};if(f.fault)
return k(n,"invalid-parameter",f.fault);let u={collection:e.name,mode:a.mode,filters:{},q:f.text},p=a.mode==="page"?We(a,
e,n,c):s?s.count(a,r,e,n):{};if(p.status)return p;for(let d in p)u[d]=p[d];return Le(u,a,e,n,r,s)||yt(u,e,n,r)}function We(t,e,n,s){
let o=(t.q===void 0?[]:["relevance"]).concat(e.sorts,e.others),r=t.sort||o[0];if(o.indexOf(r)<0)return k(n,"invalid-para\
meter",`There is no sort "${H(r)}" here.`,s(r,o));let i=t.page||"1";return mt(n.patterns.page,i)?{sort:t.sort||"",order:r,
page:Number(i)}:k(n,"invalid-parameter","A page is a whole number from 1.")}function wt(t,e,n){let s=n.ranged[e],o=s?`: \
write ${s.split("..")[0]}, or a range such as ${s}`:"";return`"${t}" has a value that no ${t} can have${o}.`}function Le(t,e,n,s,o,r){
let i=Object.keys(o).filter(a=>e[a]!==void 0),c=i.filter(a=>n.fixed[a]&&e[a]!==n.fixed[a].value)[0];if(c)return k(s,"inv\
alid-parameter",`${c} can only be ${n.fixed[c].value}.`,[n.fixed[c].value]);for(let a=0;a<i.length;a++){let l=i[a],h=o[l],
f=e[l];if(n.fixed[l])t.filters[l]=f;else if(h){let p=!r&&(!Bt(f)||gt(h,f,s))?{text:f}:r?r.constraint(l,h,f,s):{};if(!p.text){
let d=p.fault||wt(l,h,s),m=k(s,"invalid-parameter",d);return p.about&&(m.about=[n.name].concat(p.about)),m}t.filters[l]=
p.text}}}function yt(t,e,n,s){let o=Object.keys(t.filters),r=o[0],i=s[r],c=!r||!i||n.unprepared.indexOf(i)<0&&Bt(t.filters[r]),
a=r?t.order===e.sorts[0]:e.sorts.indexOf(t.order)>=0;if(t.mode==="count"||t.q!==null||o.length>1||!c||!a){let f=k(n,"uns\
upported-combination");return f.query=t,f}let l={filter:r,value:t.filters[r],sort:t.order,page:t.page};if(e.fixed[r])return{
status:200,file:O(e.fixed[r].file,l),query:t};let h=r?"by":t.order===e.sorts[0]?"plain":"sorted";return{status:200,file:e.
root+O(n.files[h],l),query:t}}function qt(t){return t.replace(/%(?:2[BbCc]|3[Aa])/g,e=>String.fromCharCode(parseInt(e.slice(1),16)))}function Be(t){let e=/^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.
exec(t),n=e[2]+(e[3]?`.${e[3]}`:"");return n==="0"?"0":e[1]+n+(e[5]?`e${e[4]==="-"?"-":""}${e[5]}`:"")}function xt(t,e,n,s){
let o=qt(n),r=s.asked.values,i=w=>({fault:`"${t}" ${w}.`,about:null}),c=w=>({fault:wt(t,e,s),about:w?[t,w]:null}),a=w=>!gt(
e,w,s),l=w=>e==="number"?Be(w):w,h=o.indexOf("..");if(h>=0&&e in s.ranged){let w=[o.slice(0,h),o.slice(h+2)];if(!w[0]&&!w[1])
return i("has a range with neither end");let g=w.find(y=>y&&a(y));if(g)return c(g);let $=w[0]?l(w[0]):null,A=w[1]?l(w[1]):
null,v=e==="number"?Number($)>Number(A):$>A;return $!==null&&A!==null&&v?i("has a range that ends before it begins"):{how:"\
range",low:$,high:A,text:`${$??""}..${A??""}`}}let f=/^(?:all|not):/.test(o)?o.slice(0,3):"any",u=(f==="any"?o:o.slice(4)).
split(",");if(u.some(a))return c(u.find(a));let p=u.map(l).sort(),d=p.filter((w,g)=>w!==p[g-1]);if(d.length>r)return i(`\
takes at most ${r} different values`);let m=d.join(",");return f==="not"||f==="all"&&d.length>1?{how:f,values:d,text:`${f}\
:${m}`}:{how:"any",values:d,text:m}}function Ht(t,e,n,s){let o=tt(t,e.map(r=>[r,s.index.labels[n.name][r]??""]),s);return o.
length?o:e}function Je(t,e,n,s){let o=Object.keys(e).filter(l=>e[l]),r=t.by===void 0?[]:qt(t.by).split(","),i=r.find(l=>!o.
includes(l));if(i!==void 0){let l=`There is no filter "${H(i)}" to count by.`;return k(s,"invalid-parameter",l,Ht(i,o,n,
s))}if(r.length>s.asked.by||new Set(r).size<r.length)return k(s,"invalid-parameter",`by names at most ${s.asked.by} diff\
erent filters.`,o);if(t.like===void 0)return{by:r,like:null};if(!r.length)return k(s,"invalid-parameter","like goes with\
 by, whose values it is about.");let{text:c,fault:a}=ht(t.like,"like",s);return a?k(s,"invalid-parameter",a):{by:r,like:c}}
var Ft={text:ht,constraint:xt,count:Je,near:Ht};var B=class extends Error{},x=class extends Error{},M=new TextEncoder,qe=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}),
Gt=`,"check":"00000000"}
`;function C(t){try{return qe.decode(t)}catch{throw new x}}function F(t,e,n){let s=new Uint32Array(n+2);for(let r=0;r<t.
length;r++)s[e(t[r])+1]++;for(let r=1;r<s.length;r++)s[r]+=s[r-1];let o=new Uint32Array(t.length);for(let r=0;r<t.length;r++)
o[s[e(t[r])]++]=t[r];return o}function G(t,e){if(t.length%e)throw new x;let n=t.slice();return new Uint32Array(new{1:Uint8Array,
2:Uint16Array,4:Uint32Array}[e](n.buffer))}function Kt(t){let e=t.indexOf(10)+1;return t.subarray(e,Math.max(e,t.lastIndexOf(
10,t.length-2)))}function Zt(t,e,n){let s=[];for(let o=0,r;o<=t.length;o=r+1){r=t.indexOf(10,o),r<0&&(r=t.length);let i=e&&
r<t.length;if(s.length===n||i&&t[r-1]!==44)throw new x;s.push(t.subarray(o,r-i))}if(s.length!==n)throw new x;return s}function Vt(t){
let e=t.length-Gt.length,n=S(t.subarray(0,e)).toString(16).padStart(8,"0");return e>0&&C(t.subarray(e))===Gt.replace("00\
000000",n)}var E=new Uint32Array(1024);for(let t=0;t<256;t++){let e=t;for(let n=0;n<8;n++)e=e&1?e>>>1^3988292384:e>>>1;E[t]=
e}for(let t=256;t<1024;t++)E[t]=E[t-256]>>>8^E[E[t-256]&255];function S(t){let[e,n]=[-1,0];for(let s=t.length-3;n<s;n+=4)
e^=t[n]|t[n+1]<<8|t[n+2]<<16|t[n+3]<<24,e=E[768+(e&255)]^E[512+(e>>>8&255)]^E[256+(e>>>16&255)]^E[e>>>24];for(;n<t.length;n++)
e=e>>>8^E[(e^t[n])&255];return~e>>>0}var He=2;function nt(t,e,n){return k(n,"not-found",`There is no page ${t}: the list has ${e} page${e===1?"":"s"}.`)}function st(t,e,n,s){
let o=s.lists.find(({name:a})=>a===t),i=!s.unprepared.includes(_(o,s)[e])?`; ${s.prefix}${o.root}${O(s.files.values,{filter:e})}\
 lists its values`:"";return{...k(s,"not-found",`No ${s.kinds[t]} has the ${e} "${n}"${i}.`),about:[t,e,n]}}async function ot(t,e,n){
if(!t.about)return t;let[s,o,r]=t.about,i=n.lists.find(({name:c})=>c===s);if(n.unprepared.includes(_(i,n)[o]))return t;try{
let c=await e(i.root+O(n.files.values,{filter:o})),{data:a}=JSON.parse(new TextDecoder().decode(c)),l=tt(Fe(r),a.values.
map(h=>[h.value,h.label]),n);return l.length?{...t,allowed:l}:t}catch(c){if(c instanceof N)throw c;return t}}async function Yt(t,e,n,s,o){
let r=U(n.replace(/-/g," "),o);if(!r.length||r.length>o.text.words)return t;let i=async c=>{let a={collection:e.name,mode:"\
page",filters:{},q:c,sort:"",order:"relevance",page:1};return JSON.parse(new TextDecoder().decode((await s(a)).body))};try{
let c=await i(r.join(" ")),a=c.data,l=r.map(u=>[u,Array.from(u).length]).sort((u,p)=>p[1]-u[1]),h=[...c.suggestions??[],
...l.map(([u])=>u)];for(let u of h.slice(0,He))a.length||(a=(await i(u)).data);let f=pt(n,a.map(u=>[u.slug,u.name]),o);return f.
length?{...t,allowed:f}:t}catch(c){if(c instanceof N)throw c;return t}}function Fe(t){try{return decodeURIComponent(t.replace(
/\+/g," ").replace(/%(?![0-9A-Fa-f]{2})/g,"%25"))}catch{return t}}function j(t,e){return{...e.unavailable,detail:t}}function K(t,e){
return j(`The search index is damaged: ${t}. Unless it is being published just now, build and publish it again.`,e)}function Ge(t,e,n,s){return Jt(t,e,n,s,Ft)}function Qt(t,e){let n=new URL(e);return n.pathname=t,n.search="",n}async function rt(t,e,n,s){
let{pathname:o,search:r}=new URL(t.url),i=Ge(t.method,o,r.slice(1),n),c=t.method==="HEAD";if(i.allow)return Xe(i,n);if(i.
problem&&i.query&&s)return Ze(i.query,t,e,n,s);let a=d=>$t(d,t,e);if(i.problem)return Z(await ot(i,a,n),n,c);if(!i.file.
startsWith(n.api))return Ke(i.file,t,e,n);let l=i.record||i.query&&(i.query.filters.program||i.query.filters.organization),
h=l?"GET":t.method,f=await te(i.file,h,t,e);if(f.status===404){let d=await Ve(i,a,n);if(d)return new Response(null,{status:308,
headers:{...n.headers,location:d}});let m=await Ye(i,a,n);if(c||!i.record||!s)return Z(await ot(m,a,n),n,c);let w=g=>s(g,
a,n);return Z(await Yt(m,i.record,i.slug,w,n),n)}let u=new Headers(f.headers);for(let[d,m]of Object.entries(n.headers))u.
set(d,m);(f.ok||f.status===304)&&u.set("content-location",n.prefix+i.file);let p=c||f.status===304?null:f.body;if(l&&f.ok){
let d=await f.text();if(ee(d)){let{links:m,data:w}=JSON.parse(d),g=i.record?`${n.prefix}${i.record.root}/${w.replaced_by}`:
m.replaced_by;return new Response(null,{status:308,headers:{...n.headers,location:g}})}p=c?null:d}return new Response(p,
{status:f.status,headers:u})}async function Xt(t,e,n,s){let{file:o,check:r}=n.folding;try{return await rt(t,e,n,s)}catch(c){
if(!(c instanceof N))throw c}let i=await $t(o,t,e).catch(()=>null);return!i||S(i)!==r?Z(j(`${o} cannot be read, or is an\
other one.`,n),n):(n.folding=JSON.parse(new TextDecoder().decode(i)),rt(t,e,n,s))}function te(t,e,n,s){return t.includes(
"//")?new Response(null,{status:404}):s(t,{method:e,headers:n.headers,redirect:"manual"})}async function Ke(t,e,n,s){let o=({
status:f})=>f===404||[301,302,307,308].includes(f),r=f=>te(f,e.method,e,n),i=await r(t);if(!o(i))return i;let c=t.endsWith(
"/")?t:`${t}/`;for(let f of[c,`${c}index.html`].filter(u=>u!==t)){let u=await r(f);if(o(u))continue;if(c===t)return u;let p=`${s.
prefix}${c}${new URL(e.url).search}`;return new Response(null,{status:308,headers:{...s.headers,location:p}})}if(i.status!==
404)return i;let a=await n(s.missing,{method:e.method}),{body:l,headers:h}=a.ok?a:i;return new Response(e.method==="HEAD"?
null:l,{status:404,headers:h})}async function Ze(t,e,n,s,o){let r=e.headers.get("if-none-match")??"",i=p=>(r.match(/"[^"]*"/g)??
[]).includes(p),c=e.method==="HEAD",a=(p,d)=>$t(p,e,n,d),{body:l,etag:h,...f}=await o(t,a,s,i);if(!h)return Z(await ot(f,
a,s),s,c);let u={...s.headers,etag:h};return!l||r.trim()==="*"?new Response(null,{status:304,headers:u}):new Response(c?
null:l,{headers:{...u,"content-type":s.json}})}async function $t(t,e,n,s){let o=new Headers(e.headers),r=["if-match","if\
-none-match","if-modified-since","if-unmodified-since","if-range"];for(let a of[...r,"range","accept-encoding"])o.delete(
a);let i=await n(t,{headers:o},s),c=await i.arrayBuffer();return i.ok?new Uint8Array(c):null}function ee(t){return t.slice(
0,99).includes('"kind":"moved"')}async function Ve(t,e,n){let[s,o]=Object.entries(t.query&&t.query.filters||{})[0]||[],r=n.
lists.find(({name:a})=>n.kinds[a]===s),i=r&&await e(r.root+O(n.files.record,{slug:o})),c=i&&new TextDecoder().decode(i);
if(!(!c||!ee(c)))return n.prefix+t.file.replace(`/${s}/${o}/`,`/${s}/${JSON.parse(c).data.replaced_by}/`)}async function Ye(t,e,n){
if(t.record)return k(n,"not-found",`There is no ${n.kinds[t.record.name]} "${t.slug}".`);if(!t.query)return k(n,"not-fou\
nd");let{collection:s,filters:o,page:r}=t.query,i=await e(t.file.replace(/[0-9]+(?=\.json$)/,"1")),c=i?Qe(i):0;if(c&&r>c)
return nt(r,c,n);let a=Object.entries(o).filter(([l])=>!n.lists.some(h=>l in h.fixed));return!i&&a.length?st(s,...a[0],n):
{...n.unavailable,detail:`The build is damaged: ${t.file} is missing. Build it again.`}}function Qe(t){try{return JSON.parse(
new TextDecoder().decode(t)).page.total_pages}catch{return 0}}function Z(t,e,n){let s={...e.headers,...t.headers,"conten\
t-type":e.type},{status:o,title:r,detail:i}=t,c=t.problem?Lt(t,e):{type:"about:blank",title:r,status:o,detail:i};return new Response(
n?null:`${JSON.stringify(c)}
`,{status:o,headers:s})}function Xe(t,e){let n={...e.headers,allow:t.allow.join(", ")};return t.status===204?new Response(
null,{status:204,headers:{...n,...e.preflight}}):new Response(`${e.not_allowed}
`,{status:t.status,headers:{...n,"content-type":e.type}})}var[tn,en]=[/^-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?$/,/^[1-9][0-9]{0,6}$/];function nn(t){let e=0;for(let n=0;n<
t.length;n++)e+=t[n];return e}function sn(t,e,n){let s=!0;for(let o=0;o<t.length;o++)s&&=t[o]>=e&&t[o]<=n;return s}var W=class{constructor(e,n){
Object.assign(this,{name:e,reader:n,records:n.manifest.count,...n.manifest.columns[e]})}files(e){let n=new Set(e&&Array.
from(e,o=>Math.floor(o/this.chunk))),s=Array.from({length:Math.ceil(this.records/this.chunk)},(o,r)=>[`columns/${this.name}`,
r]);return e?s.filter(([,o])=>n.has(o)):s}get listed(){return[`columns/${this.name}/values`,0]}parts(){return this.files().
flatMap(e=>{let n=this.reader.have(...e);if(!n)return[];let s=e[1]*this.chunk,o=Math.min(this.chunk,this.records-s),r=n.
subarray(0,o*this.counts),i=this.counts?G(r,this.counts):null,c=G(n.subarray(r.length),this.width);if(!(i?i.length===o&&
nn(i)===c.length:c.length===o)||!sn(c,i?1:0,this.values))throw new x;return[[s,c,i]]})}numbers(){let e=new Uint32Array(this.
records);if(this.counts)throw new x;for(let[n,s]of this.parts())e.set(s,n);return e}places(e,n){let s=this.numbers(),o=new Uint32Array(
this.values+1);for(let a=0;a<s.length;a++)o[s[a]]++;let r=0;for(let a=1;a<=this.values+1;a++){let l=a>this.values?0:n?this.
values+1-a:a;r+=o[l],o[l]=r-o[l]}let i=new Map,c=0;for(let a of Array.from(e).sort((l,h)=>l-h)){for(;c<a;c++)o[s[c]]++;i.
set(a,o[s[a]])}return i}tally(e){let n=new Uint32Array(this.values+1);for(let[s,o,r]of this.parts())if(r)for(let i=0,c=0;i<
r.length;i++){let a=c+r[i];if(e[s+i])for(;c<a;)n[o[c++]]++;c=a}else for(let i=0;i<o.length;i++)e[s+i]&&n[o[i]]++;return n[0]=
0,n}lines(){let e=C(this.reader.have(...this.listed)).split(`
`);if(e.pop()!==""||e.length!==this.values)throw new x;let n;return e.map(s=>{let o=s.split("	"),[r,i]=[this.key(o[0]),Number(
o[2])],c=this.type==="text"?/^[\0-\x7f]*$/:tn;if(!(o.length===3&&c.test(o[0])&&en.test(o[2])&&i<=this.records)||r<=n)throw new x;
return n=r,[o[0],o[1],i]})}key(e){return this.type==="text"?e:Number(e)}between(e,n,s){let o=this.lines().map(([c])=>this.
key(c)),r=e===null?0:o.filter(c=>c<this.key(e)).length,i=n===null?o.length:o.filter(c=>c<=this.key(n)).length;for(let[c,
a,l]of this.parts())for(let h=0,f=c,u=l?l[0]:1;h<a.length;h++,u--){for(;!u;)u=l?l[++f-c]:(f++,1);a[h]>r&&a[h]<=i&&s(f)}}};function ne(t,e,n){let s=t.replace(/^\*|^=(?=\/)/,"");if(s[0]==="/"){let i=s.slice(0,s.indexOf("/",1));return e.has(i)?s:
i}let o=[...s];if(s[0]==="="||o.length<n)return s;let r=n;for(;e.has(o.slice(0,r).join(""))&&r<o.length;)r+=1;return o.slice(
0,r).join("")}var ct=t=>`=${t}`;function R(t,{manifest:{split:e,shards:n},table:s},o=!1){return{shard:S(M.encode(ne(t,e,
s.index.prefix)))&n-1,key:M.encode(t),more:o,bodies:[]}}function se(t,e){let[{split:n},{prefix:s}]=[e.manifest,e.table.index],
o=[...t].length<s;return!o&&n.has(ne(t,n,s))?[R(t,e),R(`*${t}`,e)]:[R(t,e,!o)]}var it=class{constructor(e){Object.assign(
this,{data:e,at:0})}next(){let e=0;for(let n=1;n<=2**28;n*=128){let s=this.data[this.at++];if(e+=(s&127)*n,s<128)return e}
throw new x}};function oe(t,e){let n=new it(t),[s,o]=[0,0];for(;n.at<t.length;){let r=n.next(),i=n.at;n.at+=r;let c=n.next()+
n.at,a=0;for(;a<r&&a<o&&t[s+a]===t[i+a];)a++;if(c>t.length||a===r||a<o&&t[s+a]>t[i+a])throw new x;for(let{key:l,more:h,bodies:f}of e){
if(r<l.length||!h&&r>l.length)continue;let u=0;for(;u<l.length&&t[i+u]===l[u];)u++;u===l.length&&f.push([t.subarray(n.at,
c),r===u])}s=i,o=r,n.at=c}}function kt(t,e,{table:n},s){let{levels:o}=n.index,r=new it(t),i=0;for(;r.at<t.length;){let c=t[r.
at]>>3,a=t[r.at++]&7,l=r.next(),h=r.at,f=l*(a||1)+h;if(c<i||c>=o||![0,1,2,4].includes(a)||!l||f>t.length)throw new x;if(a&&
l>e)throw new x;i=c+1,r.at=f;for(let u=0;a&&h<f;h+=a){if(u+=t[h],a>1&&(u+=t[h+1]<<8),a>2&&(u+=(t[h+2]<<16)+t[h+3]*2**24),
u>=e)throw new x;s(u,c)}for(let u=0;h<f;u+=8)for(let p=u,d=t[h++];d;p++,d>>=1)if(d&1){if(p>=e)throw new x;s(p,c)}}}var on=42;function Mt(t){let{query:e,list:n,table:s}=t,o=e.q===null?[]:[...new Set(P(e.q,s))],r=_(n,s);return[...Object.
entries(e.filters).map(([c,a])=>{let l=n.fixed[c]?{how:"any",values:[a]}:xt(c,r[c],a,s),h=l.how==="range"||s.unprepared.
includes(r[c])?vt:Ot;return new h(c,l,t)}),...At(o,t)]}function At(t,e){let n=new Uint8Array(e.manifest.count);return t.
map((s,o)=>new bt(s,o,t.length,n,e))}async function V(t,e,n,s){let o=[...t.flatMap(a=>a.seeks),...e],r=[...new Set(o.map(
({shard:a})=>a))],i=[...r.map(a=>["keys",a]),...t.flatMap(a=>a.files),...n];await s.fetch(i);for(let a of r)oe(s.have("k\
eys",a),o.filter(l=>l.shard===a)),s.inTime();let c=new Uint16Array(s.manifest.count);for(let a of t){a.meet();let{marks:l}=a;
for(let h=0;h<c.length;h++)l[h]&&c[h]++;s.inTime()}return c}var at=class{constructor(e,{how:n,values:s,low:o,high:r},i){
let c=new Uint8Array(i.manifest.count);Object.assign(this,{name:e,how:n,values:s,low:o,high:r,reader:i,marks:c,seeks:[],
files:[]})}meet(){let{how:e,marks:n}=this,s=this.values??[null];s.forEach((r,i)=>{e==="all"?this.each(i,c=>n[c]+=n[c]===
i):this.each(i,c=>n[c]=1)});let o=e==="all"?s.length:1;for(let r=0;r<n.length;r++)n[r]=n[r]>=o==(e!=="not")}},Ot=class extends at{constructor(e,n,s){
super(e,n,s),this.keys=this.values.map(o=>O(s.table.index.key,{filter:e,value:o})),this.seeks=[...this.keys,...this.keys.
map(ct)].map(o=>R(o,s))}each(e,n){let{name:s,values:o,reader:r,marks:i}=this,[c]=this.seeks[e].bodies;if(!c)throw st(r.query.
collection,s,o[e],r.table);kt(c[0],i.length,r,(a,l)=>l||n(a))}lists(){let{name:e,how:n,values:s,reader:o,keys:r}=this;return n===
"not"?[]:s.map((i,c)=>{let a=s.length>1?new Uint8Array(this.marks.length):this.marks;s.length>1&&this.each(c,u=>a[u]=1);
let{fixed:l,root:h}=o.list;return{path:l[e]?l[e].file:h+O(o.table.files.by,{filter:e,value:i,page:":page"}),pages:this.seeks[r.
length+c],marks:a}})}},vt=class extends at{constructor(e,n,s){super(e,n,s),this.column=new W(e,s),this.files=[this.column.
listed,...this.column.files()]}each(e,n){let{low:s,high:o,values:r,column:i}=this;r?i.between(r[e],r[e],n):i.between(s,o,
n)}},bt=class{constructor(e,n,s,o,r){let{count:i,language:c}=r.manifest;Object.assign(this,{place:n,words:s,named:o,reader:r,
marks:new Uint8Array(i),files:[]});let a=/^en(-|$)/.test(c)?zt(e):[];this.own=se(e,r),this.seeks=[...this.own,...a.map(l=>R(
l,r))]}meet(){let{marks:e,named:n,place:s,words:o,reader:r,own:i}=this,{index:c}=r.table;for(let a of this.seeks)for(let[
l,h]of a.bodies){let f=h&&a.key[0]!==on,u=f?c.whole:c.begun,p=f&&i.includes(a)?c.named+o-1:-1;kt(l,e.length,r,(d,m)=>{e[d]<
u[m]?e[d]=u[m]:m===p&&n[d]===s&&n[d]++})}}};function J({collection:t,mode:e,q:n,filters:s,sort:o,by:r,like:i},c,a){let l=[`mode=${e}`];n!==null&&l.push(`q=${re(n)}`);
for(let[h,f]of Object.entries(s))l.push(`${h}=${f}`);return r&&r.length&&l.push(`by=${r}`),typeof i=="string"&&l.push(`l\
ike=${re(i)}`),o&&l.push(`sort=${o}`),c>1&&l.push(`page=${c}`),`${a.prefix}${a.lists.find(({name:h})=>h===t).root}?${l.join(
"&")}`}function ie(t,e,n,s,o,r,i){let c=i.lists.find(({name:g})=>g===t.collection),{page:a,order:l,q:h,filters:f}=t,u=g=>J(
t,g,i),p={schema_version:i.schema_version,kind:`${i.kinds[c.name]}_list`,...r.as_of===null?{}:{as_of:r.as_of},query:{mode:"\
page",page:a,sort:l,q:h,filters:f},page:{number:a,size:r.size,count:e.length,total_items:n,total_pages:s},links:{self:u(
a),first:u(1),prev:a>1?u(a-1):null,next:a<s?u(a+1):null,last:u(s),filters:i.prefix+c.root+i.files.filters}};h!==null&&(p.
suggestions=o);let d=JSON.stringify(p).slice(0,-1),m=e.flatMap((g,$)=>[M.encode($?`,
`:`${d},"data":[
`),g]);m.push(M.encode(e.length?`
]}
`:`${d},"data":[]}
`));let w=new Uint8Array(m.reduce((g,$)=>g+$.length,0));return m.reduce((g,$)=>(w.set($,g),g+$.length),0),w}function re(t){
return encodeURIComponent(t).replace(/[!\x27()*]/g,e=>`%${e.charCodeAt(0).toString(16).toUpperCase()}`)}function ce(t,e,n,{list:s,table:o,manifest:{as_of:r}}){let{q:i,filters:c,by:a,like:l}=t,h={collection:s.name,mode:"page",
q:i,filters:c,sort:"",order:s.sorts[0],page:1},{file:f}=yt(h,s,o,_(s,o)),u=o.index.most.values,p=n.map(([m,w])=>{let g=w.
slice(0,u).map(([v,y,b])=>({value:v,label:y,count:b})),[$,A]=[w.length,w.length>u];return[m,{label:o.index.labels[s.name][m],
total_values:$,truncated:A,values:g}]}),d={schema_version:o.schema_version,kind:`${o.kinds[s.name]}_count`,...r===null?{}:
{as_of:r},query:{mode:t.mode,q:i,filters:c,by:a,like:l},total_items:e,links:{self:J(t,1,o),list:f?o.prefix+f:J(h,1,o)},counts:Object.
fromEntries(p)};return M.encode(`${JSON.stringify(d)}
`)}var L=(t,e,n)=>Number.isInteger(t)&&t>=e&&t<=n,St=(t,e)=>typeof t=="string"&&e.test(t);function le(t,e,n){let{most:s,format:o}=n.
index,{unicode:r}=n.folding,i;try{if(i=t.length<=s.manifest?JSON.parse(C(t)):null,i.kind!=="search_index"||!L(i.format,0,
2**30))throw new x;if(i.format!==o)throw j(`The search index has the format ${i.format}; this program reads ${o}.`,n);if(!Vt(
t)||i.collection!==e.name)throw new x;if(!St(i.unicode,/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/))throw new x;if(i.unicode!==r){
let c=`was made by Unicode ${i.unicode}; this program folds words by ${r}`;throw j(`The search index ${c}. They go toget\
her in one version of the generator.`,n)}return rn(i,e,n.index)}catch(c){throw c.status?c:K("its manifest is not one tha\
t a build writes",n)}}function rn(t,{name:e,sorts:n,others:s},{most:o,rows:{small:r,large:i,many:c,few:a},labels:l}){let h=[
...n.slice(1),...s].map(T=>T.replace("-","")),f=new Set([...Object.keys(l[e]),...h]),{count:u,size:p,as_of:d,language:m,
shards:w,split:g,rows:$,row_bytes:A,columns:v,files:y}=t,b=i;for(;b*c<u;)b*=2;let I=Math.ceil(u/(a*b))*b,Q=I>b?[r,b,I]:[
r,b],z=ae(y.spell),q={keys:w,spell:z};for(let T of Q.slice(1))q[`rows/${T}`]=Math.ceil(u/T);for(let T of f){let{type:ft,
values:ut,width:Me,counts:_t,chunk:Rt}=v[T];if(!(["text","number"].includes(ft)&&L(ut,0,_t?2**30:u)&&Me===(ut<2**8?1:ut<
2**16?2:4)&&[0,1,2,4].includes(_t)&&L(Rt,1,2**30)))throw new x;q[`columns/${T}`]=Math.ceil(u/Rt),q[`columns/${T}/values`]=
1}if(!(L(u,0,o.records)&&L(p,1,o.size)&&L(w,1,o.records)&&!(w&w-1)&&z>0&&!(z&z-1)&&L(A,0,2**30)&&JSON.stringify($)===JSON.
stringify(Q)&&Object.keys(v).length===f.size&&Object.keys(y).length===Object.keys(q).length&&Object.entries(q).every(([T,
ft])=>ae(y[T])===ft)&&St(m,/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/)&&(d===null||St(d,/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/))&&
Array.isArray(g)&&g.every(T=>typeof T=="string")))throw new x;return{...t,split:new Set(g),spelled:z}}function ae(t){let e=/^[A-Za-z0-9+/]*(={0,2})$/.
exec(t)[1].length;return t.length%4?-1:(t.length/4*3-e)/4}function Tt({files:t,rows:[e,n]},s,o){if(s===`rows/${e}`)return Tt(
{files:t,rows:[]},`rows/${n}`,Math.floor(o*e/n));let r=atob(t[s].substr(Math.floor(o/3)*16,16));return[3,2,1,0].reduce((i,c)=>i*
256+r.charCodeAt(o%3*4+c),0)}var cn=16*2**20,[Y,jt]=[new Map,new Map],Et=0;function an(t,e){Y.delete(t)||(Et+=e.length),Y.set(t,e);for(let[n,{length:s}]of Y){
if(Et<=cn)break;Y.delete(n),Et-=s}return e}var fe=t=>t.toString(16).padStart(8,"0");function ln(t){let e=t.subarray(0,-9);
return M.encode(`${fe(S(e))}
`).every((s,o)=>s===t[e.length+o])?e:null}var lt=class{constructor(e,n,s,o){let{most:r}=s.index,i=Date.now()+r.seconds*1e3,
c=s.lists.find(({name:a})=>a===e.collection);Object.assign(this,{query:e,read:n,table:s,again:o,most:r,until:i,list:c}),
this.begin(o?null:jt.get(c.name))}begin(e){Object.assign(this,{manifest:e,reads:1,bytes:0,held:new Map})}async one(e,n=this.
again){try{return await this.read(e,n)}catch{throw j("The search index cannot be read.",this.table)}}async current(){let{
name:e}=this.list,n=await this.one(O(this.table.index.manifest,{collection:e}));if(!n)throw j(`There is no search index \
of ${e} here.`,this.table);let s=S(n),o=jt.get(e);return(!o||o.check!==s||o.bytes!==n.length)&&(o={...le(n,this.list,this.
table),check:s,bytes:n.length},jt.set(e,o)),o}async fetch(e,n=[],s=0){let{manifest:o,held:r}=this,i=new Map;for(let[a,l]of e){
let h=Tt(o,a,l),f=O(this.table.index.file,{collection:this.list.name,what:a,number:`${l}-${fe(h)}`});i.set(`${a},${l}`,[
f,h,a===`rows/${o.rows[0]}`])}for(let[a,l]of n)i.set(a,[a,l]);this.bound(i.size,s);let c=async([a,[l,h,f]])=>{let u=a===
l,p=Y.get(`${l} ${h}`),d=g=>{let $=g&&(u?Kt(g):f?ln(g):g);return $&&(p||f||S($)===h)?$:null},m=p??await this.one(l),w=d(
m);if(u&&!w&&!this.again&&this.reads<this.most.reads&&(this.reads++,m=await this.one(l,!0),w=d(m)),w)r.set(a,w),an(`${l}\
 ${h}`,m),this.bytes+=m.length;else if(!u)throw new B(`${l} is ${m?"not the file that the manifest means":"missing"}`)};
await Promise.all([...i].map(c)),this.bound(0,0),this.inTime()}have(e,n){return this.held.get(`${e},${n}`)}page(e){return this.
held.get(e)}inTime(){if(Date.now()>this.until)throw j(`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(e,n){
this.reads+=e;let s={reads:this.reads,bytes:this.bytes+n};for(let o in s){if(s[o]<=this.most[o])continue;let r=`This que\
ry needs ${s[o]} ${o}, and at most ${this.most[o]} are allowed.`;throw k(this.table,"invalid-parameter",`${r} Ask with f\
ewer or longer words, or fewer filters.`)}}};var fn=4096;async function he(t,e,n){let s=Array.from(t),{count:o,rows:r}=n.manifest,i=r.map(f=>({size:f,count:o,what:`r\
ows/${f}`,places:new Map(s.map(u=>[u,u]))})),c=[...i,...e.flatMap(f=>un(f,s,n))],a=await ue(s,c,n),l=s.filter(f=>!a.has(
f)),h=l.length?await ue(l,i,n):a;return s.map(f=>a.get(f)??h.get(f))}function un({path:t,pages:e,marks:n,places:s},o,{manifest:{
size:r,count:i}}){let[c]=e.bodies,a=s??hn(n,o);if(!c||!a.size)return[];let l=G(c[0],4),h=n?0:i;if(n)for(let f=0;f<i;f++)
h+=n[f];if(l.length!==Math.max(1,Math.ceil(h/r)))throw new x;return[{size:r,count:h,path:t,checks:l,places:a}]}function hn(t,e){
let n=new Map,[s,o]=[0,0];for(let r of e.filter(i=>t[i]).sort((i,c)=>i-c)){for(;o<r;o++)s+=t[o];n.set(r,s)}return n}async function ue(t,e,n){
let{row_bytes:s}=n.manifest,o=dn(t,e,s,n.most.reads-n.reads),r=[...new Set(o)],i=r.filter(({source:f})=>f.what).map(({source:f,
n:u})=>[f.what,u]),c=({source:f,n:u})=>O(f.path,{page:u+1}),a=r.filter(({source:f})=>f.path).map(f=>[c(f),f.source.checks[f.
n]]);await n.fetch(i,a,r.reduce((f,{source:u})=>f+u.size*s,0));let l=new Map;for(let f of r){let{source:u,n:p}=f,d=u.what?
n.have(u.what,p):n.page(c(f));if(!d)continue;let m=u.what&&d[d.length-1]===10?d.subarray(0,-1):d;l.set(f,Zt(m,!u.what,Math.
min(u.size,u.count-p*u.size)))}let h=new Map;return t.forEach((f,u)=>{let{source:p}=o[u],d=l.get(o[u]);d&&h.set(f,d[p.places.
get(f)%p.size])}),h}function dn(t,e,n,s){let o=e.flatMap(i=>{let c=new Map;return t.forEach((a,l)=>{if(!i.places.has(a))
return;let h=Math.floor(i.places.get(a)/i.size);c.has(h)||c.set(h,{source:i,n:h,rows:[]}),c.get(h).rows.push(l)}),[...c.
values()].sort((a,l)=>a.n-l.n)}),r=pn(t,o,n);for(;new Set(r).size>s&&mn(r,o););return r}function pn(t,e,n){let s=new Map(
e.map(i=>[i,i.rows.length])),o=i=>(fn+i.source.size*n)/s.get(i),r=[];for(let i=t.length;i;){let c=e[0];for(let l of e)o(
l)<o(c)&&(c=l);let a=c.rows.filter(l=>!r[l]);i-=a.length;for(let l of a)r[l]=c;for(let l of e)s.set(l,s.get(l)-l.rows.filter(
h=>a.includes(h)).length)}return r}function mn(t,e){let n=new Map;t.forEach((r,i)=>n.set(r,[...n.get(r)??[],i]));let s,o=1/0;
for(let r of e){let i=new Set(r.rows),a=[...new Set(r.rows.map(u=>t[u]))].filter(u=>u!==r&&n.get(u).every(p=>i.has(p))),
l=n.has(r)?0:1,h=a.length-l;if(h<=0)continue;let f=(r.source.size*l-a.reduce((u,{source:p})=>u+p.size,0))/h;f<o&&([s,o]=
[{file:r,rows:a.flatMap(u=>n.get(u))},f])}for(let r of s?.rows??[])t[r]=s.file;return s}var gn=2**25;function wn(t,e){let n=Math.floor(e*256/Math.max(1,t)),s=32-Math.clz32(n);return(s-9)*8+(n>>>s-4&7)+1}function de(t,e,n,s){
let o=new Uint32Array(s);for(let{marks:c}of e){let a=0;for(let h=0;h<s;h++)c[h]&&a++;let l=wn(a,s);for(let h=0;h<t.length;h++)
o[t[h]]+=l*c[t[h]]}for(let c=0;c<t.length;c++)n[t[c]]===e.length&&(o[t[c]]+=gn);let r=8191,i=F(t,c=>r-(o[c]&r),r);return F(
i,c=>r-(o[c]>>>13),r)}var[yn,pe,Nt]=[4,8,2],[xn,$n,me]=[12,20,2];function ge(t,e){let n=[...t];return[`^${n.slice(0,2).join("")}`,`${n.slice(-2).
join("")}$`].map(o=>S(M.encode(o))&e-1)}function we(t){let e=new Map;for(let n of t)for(let s of C(n).split(`
`).slice(0,-1)){let o=s.indexOf("	");if(o>=0&&!/^\t([1-9]\d?)?$/.test(s.slice(o)))throw new x;e.set(o<0?s:s.slice(0,o),o<
0?1:Number(s.slice(o+1)||1))}return e}function ye(t,e,n){if(n.length>me)return[];let s=(n.length?n:[...t.keys()]).map(r=>vn(
t,r,e)),o=new Map;for(let r of n.length?On(s):s.flat().map(i=>[i])){let[i,c,a,l]=[0,0,0,1/0],h=[],f=r.filter((u,p)=>!p||
!kn(u,r[0])).sort((u,p)=>u.start-p.start);for(let u of f)u.start<i&&(c=1/0),h.push(...t.slice(i,u.start),...u.words),i=u.
end,c+=u.end-u.start,a+=u.distance,l=Math.min(l,...u.words.map(p=>e.get(p)));c<=me&&o.set([...h,...t.slice(i)].join(" "),
[a,-l])}return xe(o,$n).map(([r])=>r)}var kn=(t,e)=>t.start===e.start&&t.end===e.end&&String(t.words)===String(e.words),
On=([t,...e])=>e.length?t.flatMap(n=>e[0].map(s=>[n,s])):t.map(n=>[n]);function xe(t,e){let n=o=>Array.from(o,r=>r.codePointAt(
0).toString(16).padStart(6,"0")).join(""),s=([o,[r,i]],[c,[a,l]])=>r-a||i-l||(n(o)<n(c)?-1:1);return[...t].sort(s).slice(
0,e)}function vn(t,e,n){let s=(i,c,a,l)=>({start:i,end:c,distance:a,words:l}),o=bn(t[e],n,t.length===1).map(([i,[c]])=>s(
e,e+1,c,[i])),r=Mn(t[e],n);r.length&&o.push(s(e,e+1,0,r));for(let i of[e-1,e]){let c=t.slice(Math.max(i,0),i+2).join("");
i>=0&&i<t.length-1&&n.has(c)&&o.push(s(i,i+2,0,[c]))}return o}function bn(t,e,n){let s=[...t],o=new Map,r=(i,c,a)=>{let[
l,h]=[s.slice(0,c).join(""),s.slice(-c).join("")];for(let[f,u]of e){if(!(f.startsWith(l)||f.endsWith(h))||f===t||o.has(f))
continue;let p=[...f];Math.max(s.length,p.length)<a||$e(s,p,i)&&o.set(f,[i,-u])}};return r(1,Math.max(1,s.length-1>>1),n?
yn:Nt),s.length+2>=pe&&r(2,2,pe),xe(o,xn)}function $e(t,e,n){if(Math.abs(t.length-e.length)>n)return!1;let s=0;for(;s<t.
length&&s<e.length&&t[s]===e[s];)s++;let[o,r]=[t.slice(s),e.slice(s)];if(!n||!o.length||!r.length)return Math.max(o.length,
r.length)<=n;let i=(c,a)=>$e(o.slice(c),r.slice(a),n-1);return i(1,1)||i(1,0)||i(0,1)||o.length>1&&o[0]===r[1]&&o[1]===r[0]&&
i(2,2)}function Mn(t,e){let n=[...t],s=[[]];for(let o=Nt;o<=n.length;o++)for(let r=0;r<=o-Nt;r++){let i=n.slice(r,o).join(
"");!s[r]||i===t||!e.has(i)||(!s[o]||s[r].length+1<s[o].length)&&(s[o]=[...s[r],i])}return s[n.length]??[]}var[An,Sn]=[5,12];async function Oe(t,e){try{return await Tn(t,e)}catch(n){if(n.status===400)return[];throw n}}async function Tn(t,e){
let{query:n,table:s,manifest:o}=e,r=y=>U(y,s),i=y=>P(y,s),c=t.filter(({named:y})=>!y),a=ke(i(n.q),t.filter(({named:y})=>y)),
l=r(n.q),h=[...l.keys()].filter(y=>!i(l[y]).every(b=>a.get(b).some(Boolean))),f=[...new Set(l.flatMap(y=>ge(y,o.spelled)))];
await e.fetch(f.map(y=>["spell",y]));let u=we(f.sort((y,b)=>y-b).map(y=>e.have("spell",y))),p=s.text,d=y=>[...y].length<=
p.characters&&r(y).length&&r(y).length<=p.words,m=ye(l,u,h).filter(d).slice(0,Sn),w=y=>r(y).length===1&&!c.length,g=i(m.
filter(y=>!w(y)).join(" ")),$=At([...new Set(g)],e);$.length&&await V($,[],[],e);let A=ke(g,$),v=y=>{let b=[...c.map(({marks:I})=>I),
...i(y).map(I=>A.get(I))];return b[0].some((I,Q)=>b.every(z=>z[Q]))};return m.filter(y=>w(y)||v(y)).slice(0,An)}var ke=(t,e)=>new Map(
[...new Set(t)].map((n,s)=>[n,e[s].marks]));var jn=2;async function be(t,e,n,s=()=>!1){let o;for(let r=1;r<=2;r++){let i=new lt(t,e,n,r>1);try{return await En(i,s)}catch(c){
if(c.status)return c;if(c instanceof x)return K("a file of it is not one that a build writes",n);if(!(c instanceof B))throw c;
if(i.manifest===o)return K(c.message,n);o=i.manifest}}return j("The registry is being replaced; ask again in a moment.",
n)}async function En(t,e){let n=t.manifest&&Nn(ve(t,e)),[s,o]=await Promise.all([t.current(),n]);return s===t.manifest?o():
(t.begin(s),ve(t,e))}var Nn=t=>t.then(e=>()=>e,e=>()=>{throw e});async function ve(t,e){let{query:n,table:s,manifest:o}=t,
r=Un(n,o,s);return e(r)?{etag:r}:{body:await(n.mode==="count"?Rn(t):_n(t)),etag:r}}function Un(t,{check:e,bytes:n},s){let o=S(
M.encode(`${s.made} ${J(t,t.page??1,s)}`));return`"${[e,n,o].map(r=>r.toString(16)).join("-")}"`}async function _n(t){let{
query:e,table:n,manifest:s,list:o}=t,{size:r}=s,i=Mt(t),c=e.order==="relevance"||e.order===o.sorts[0]?null:new Ut(e.order,
t),a=await V(i,c?c.seeks:[],c?c.early:[],t),l=new Uint32Array(s.count),h=0;for(let v=0;v<a.length;v++)a[v]===i.length&&(l[h++]=
v);let f=l.subarray(0,h),u=i.filter(({named:v})=>v),p=()=>de(f,u,u[0].named,s.count),d=e.order==="relevance"?p():c?await c.
ordered(f):f,m=Math.max(1,Math.ceil(h/r));if(e.page>m)throw nt(e.page,m,n);let w=d.subarray((e.page-1)*r,e.page*r),g=i.flatMap(
v=>v.lists?.()??[]),$=await he(w,c?[...g,...c.lists(w)]:g,t),A=u.length&&!h?await Oe(i,t):[];return ie(e,$,h,m,A,s,n)}var Ut=class{constructor(e,n){
let{list:s,table:o}=n;Object.assign(this,{reader:n,down:e[0]==="-",column:new W(e.replace("-",""),n)});let r=this.column.
files();this.early=r.length<=jn?r:[],this.seeks=s.sorts.includes(e)?[R(ct(e),n)]:[],this.path=s.root+O(o.files.sorted,{sort:e,
page:":page"})}async ordered(e){let{column:n,down:s,early:o,reader:r}=this;o.length||await r.fetch(n.files(e));let[i,c]=[
n.numbers(),n.values];return F(e,a=>i[a]?s?c-i[a]:i[a]-1:c,c)}lists(e){let{column:n,down:s,early:o,seeks:r,path:i}=this;
return!o.length||!r.length?[]:[{path:i,pages:r[0],places:n.places(e,s)}]}};async function Rn(t){let{query:e,table:n,manifest:s}=t,
o=Mt(t),r=e.by.map(f=>new W(f,t)),i=r.map(({name:f})=>o.filter(u=>u.name!==f)),c=r.flatMap((f,u)=>[f.listed,...i[u].length?
f.files():[]]),a=await V(o,[],c,t),l=0;for(let f=0;f<a.length;f++)a[f]===o.length&&l++;let h=r.map((f,u)=>{let p=f.lines();
if(i[u].length){let d=o.find(g=>g.name===f.name),m=new Uint8Array(a.length);for(let g=0;g<a.length;g++)m[g]=a[g]-(d?d.marks[g]:
0)===i[u].length;let w=f.tally(m);p.forEach((g,$)=>g[2]=w[$+1]),p=p.filter(g=>g[2])}return e.like!==null&&(p=p.filter(d=>In(
e.like,d.slice(0,2),n))),p.sort((d,m)=>m[2]-d[2]||(d[0]<m[0]?-1:1)),t.inTime(),[f.name,p]});return ce(e,l,h,t)}function In(t,e,n){
let s=e.flatMap(o=>P(o,n));return P(t,n).every(o=>s.some(r=>r.startsWith(o)))}Object.assign(edge,{beside:Qt,respond:rt,respondFolding:Xt,search:be});})();
