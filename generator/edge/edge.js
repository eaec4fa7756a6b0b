(()=>{var _;function oe(t){let e=(l,f)=>l?l.split(f).map(u=>parseInt(u,36)):[],n=l=>Uint32Array.from(e(l," "),(f=>u=>f+=u)(0)),
s=new Map,o=0;for(let l of t.folds.split(";")){let[,f,u,h,m,d]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(l),p=e(d,"+");o+=parseInt(
f,36);for(let g=0,w=o;g<parseInt(u||"1",36);g++,w+=h?2:1)s.set(w,String.fromCodePoint(...m==="="?p:[w+p[0]]))}let{composed:r,
letters:i,signs:c,paired:a}=t;return{folds:s,composed:n(r),letters:n(i),signs:n(c),paired:n(a)}}function H(t,e){let[n,s]=[
0,t.length];for(;n<s;){let o=n+s>>1;t[o]<=e?n=o+1:s=o}return n%2===1}function re(t,e){if(!/[^\0-\x7f]/.test(t))return t.
toLowerCase();_??=oe(e.folding);let n=s=>_.folds.get(s.codePointAt(0))??s;return Array.from(t,s=>{let o=s.codePointAt(0);
return o<128?s.toLowerCase():_.folds.has(o)||!H(_.composed,o)?n(s):Array.from(s.normalize("NFKD"),n).join("")}).join("")}
function W(t,e){let n=o=>{let r=o.codePointAt(0);return r===39||r===8217?"'":(r<128?/[a-z0-9]/.test(o):H(_.letters,r))?o:
" "};return Array.from(re(t,e),n).join("").replace(/''+/g," ").replace(/'/g,"").split(" ").flatMap(ie)}function ie(t){let e=[],
n;for(let s of t){let o=s.codePointAt(0);if(!e.length&&o>127&&H(_.signs,o))continue;let r=vt(o);r===n?e.push(e.pop()+s):
e.push(s),n=r}return e}var vt=t=>t>127&&H(_.paired,t);function D(t,e){return W(t,e).flatMap(n=>{let s=Array.from(n);return s.
length<3||!vt(s[0].codePointAt(0))?[n]:s.slice(1).map((o,r)=>s[r]+o)})}function bt(t){if([...t].length<4||!/[^s]s$/.test(
t))return[];let e=[t.slice(0,-1)];return t.endsWith("es")&&e.push(t.slice(0,-2)),t.endsWith("ies")&&e.push(`${t.slice(0,
-3)}y`),e}function st(t,e,n){let{characters:s,words:o}=n.text,r=/%(?![0-9A-Fa-f]{2})/g,i;try{i=decodeURIComponent(t.replace(
/\+/g," ").replace(r,"%25"))}catch{i="�"}if(i.includes("�"))return{fault:`${e} is not percent-encoded UTF-8.`};if(t.
search(r)>=0||[...i].length>s)return{fault:`${e} is percent-encoded text of at most ${s} characters.`};let c=W(i,n).length;
return c>=1&&c<=o?{text:i}:{fault:`${e} has 1 to ${o} words of letters and digits.`}}var At=10,ce=60,ae=2e4,[le,fe,ue,he,de,ot]=[0,1,2,3,5,99];function F(t,e,n){let s=l=>Array.from(W(l,n).join("-")).slice(
0,ce),o=s(t),r=e.slice(0,ae),i=r.map(([l,f])=>Math.min(Mt(o,s(l)),Mt(o,s(f)))),c=[...r.keys()].filter(l=>i[l]<ot).sort((l,f)=>i[l]-
i[f]||l-f),a=[...new Set(c.map(l=>r[l][0]))].slice(0,At);return a.length||r.length>At?a:r.map(([l])=>l)}function Mt(t,e){
let[n,s]=[t.join(""),e.join("")];if(!n||!s)return ot;if(n===s)return le;if(t.length>1&&s.startsWith(n))return fe;if(t.length>
1&&s.includes(`-${n}`))return ue;let o=[3,6,10].filter(a=>t.length>=a).length,r=pe(t,e,o);if(r<=o)return he+r-1;let i=s.
split("-"),c=n.split("-").filter(a=>i.includes(a));return n.split("-").includes(s)||c.some(a=>Array.from(a).length>2)?de:
ot}function pe(t,e,n){if(Math.abs(t.length-e.length)>n)return n+1;let s=[],o=[...Array(e.length+1).keys()];for(let r=1;r<=
t.length;r++){let i=[r];for(let c=1;c<=e.length;c++){let a=Math.min(o[c]+1,i[c-1]+1,o[c-1]+(t[r-1]===e[c-1]?0:1));r>1&&c>
1&&t[r-1]===e[c-2]&&t[r-2]===e[c-1]&&(a=Math.min(a,s[c-2]+1)),i.push(a)}if(Math.min(...i)>n)return n+1;s=o,o=i}return o[e.
length]}var G={page:["by","like"],count:["sort","page"]};function x(t,e,n,s){let o=t.problems[e];return{status:o[0],problem:e,detail:n||
o[2],allowed:s||null}}function jt(t,e){return{type:e.problem.type.replace(":code",t.problem),title:e.problems[t.problem][1],
status:t.status,detail:t.detail,code:t.problem,allowed:t.allowed,help:e.problem.help}}function rt(t){return t.length>80?
`${t.slice(0,80)}…`:t}function it(t,e){return new RegExp(`^(?:${t})$`).test(e)}function ct(t,e,n){return e.length<=n.longest.
value&&it(n.patterns[t],e)}function Nt(t){return!/[,:]|\.\.|%2c|%3a/i.test(t)}function T(t,e){let n={mode:"",q:""};t.tagged&&
e.tags.forEach(s=>{n[s]="slug"});for(let s in t.filters)n[s]=t.filters[s];return G.page.concat(G.count).forEach(s=>{n[s]=
""}),n}function O(t,e){return t.replace(/:([a-z]+)/g,(n,s)=>e[s])}function me(t){return t.replace(/%([0-9A-Fa-f]{2})/g,(e,n)=>{
let s=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(s)?s:e})}function St(t,e){return e.prefix&&t.indexOf(
`${e.prefix}/`)===0?t.slice(e.prefix.length):t}function Et(t,e,n,s,o){if(s.methods.indexOf(t)<0)return{status:405,allow:s.
methods};if(t==="OPTIONS")return{status:204,allow:s.methods};let r=me(e),i=St(r,s);for(let l=0;l<s.lists.length;l++){let f=s.
lists[l];if(i===f.root)return ge(n,f,s,o);let u=i.indexOf(`${f.root}/`)===0?i.slice(f.root.length+1):"";if(u.length<=s.longest.
slug&&it(s.patterns.slug,u))return n?Tt(i,s):{status:200,file:f.root+O(s.files.record,{slug:u}),record:f,slug:u}}if(Object.
prototype.hasOwnProperty.call(s.documents,i))return n?Tt(i,s):{status:200,file:s.documents[i]};let c=i.indexOf("%")>=0;return(c?
St(r.replace(/%2f/gi,"/"),s).toLowerCase():i).indexOf(s.api)===0&&(c||!/[^/]\.[a-z0-9]+$/.test(i))?x(s,"not-found"):{status:200,
file:i}}function Tt(t,e){return x(e,"unknown-parameter",`${e.prefix}${t} takes no parameters.`)}function ge(t,e,n,s){if(!t)
return e.bare?{status:200,file:e.bare}:x(n,"mode-required",`Ask for a page: ${n.prefix}${e.root}?mode=page`);let o=t.split(
"&").map(d=>{let p=d.indexOf("=");return p<0?[d,""]:[d.slice(0,p),d.slice(p+1)]}),r=T(e,n),i=Object.keys(r),c=(d,p)=>s?s.
near(d,p,e,n):p;for(let d=0;d<o.length;d++){if(!o[d][0])return x(n,"invalid-parameter","The query has an empty parameter\
.",i);if(!o[d][1])return x(n,"invalid-parameter",`The parameter "${rt(o[d][0])}" has no value.`,i)}for(let d=0;d<o.length;d++)
if(i.indexOf(o[d][0])<0){let p=`There is no parameter "${rt(o[d][0])}" here.`;return x(n,"unknown-parameter",p,c(o[d][0],
i))}let a={};for(let d=0;d<o.length;d++){if(a[o[d][0]]!==void 0)return x(n,"repeated-parameter",`The parameter "${o[d][0]}\
" is given more than once.`);a[o[d][0]]=o[d][1]}let l=Object.keys(G);if(l.indexOf(a.mode)<0)return x(n,"mode-required","\
Only mode=page and mode=count are answered.",l);let f=G[a.mode].filter(d=>a[d]!==void 0)[0];if(f)return x(n,"invalid-par\
ameter",`${f} does not go with mode=${a.mode}.`);let u=a.q===void 0?{text:null}:s?s.text(a.q,"q",n):{text:a.q};if(u.fault)
return x(n,"invalid-parameter",u.fault);let h={collection:e.name,mode:a.mode,filters:{},q:u.text},m=a.mode==="page"?we(a,
e,n,c):s?s.count(a,r,e,n):{};if(m.status)return m;for(let d in m)h[d]=m[d];return ye(h,a,e,n,r,s)||at(h,e,n,r)}function we(t,e,n,s){
let o=(t.q===void 0?[]:["relevance"]).concat(e.sorts,e.others),r=t.sort||o[0];if(o.indexOf(r)<0)return x(n,"invalid-para\
meter",`There is no sort "${rt(r)}" here.`,s(r,o));let i=t.page||"1";return it(n.patterns.page,i)?{sort:t.sort||"",order:r,
page:Number(i)}:x(n,"invalid-parameter","A page is a whole number from 1.")}function ye(t,e,n,s,o,r){let i=Object.keys(o).
filter(a=>e[a]!==void 0),c=i.filter(a=>n.fixed[a]&&e[a]!==n.fixed[a].value)[0];if(c)return x(s,"invalid-parameter",`${c}\
 can only be ${n.fixed[c].value}.`,[n.fixed[c].value]);for(let a=0;a<i.length;a++){let l=i[a],f=o[l],u=e[l];if(n.fixed[l])
t.filters[l]=u;else if(f){let m=!r&&(!Nt(u)||ct(f,u,s))?{text:u}:r?r.constraint(l,f,u,s):{};if(!m.text){let d=m.fault||`\
"${l}" has a value that no ${l} can have.`,p=x(s,"invalid-parameter",d);return m.about&&(p.about=[n.name].concat(m.about)),
p}t.filters[l]=m.text}}}function at(t,e,n,s){let o=Object.keys(t.filters),r=o[0],i=s[r],c=!r||!i||n.unprepared.indexOf(i)<
0&&Nt(t.filters[r]),a=r?t.order===e.sorts[0]:e.sorts.indexOf(t.order)>=0;if(t.mode==="count"||t.q!==null||o.length>1||!c||
!a){let u=x(n,"unsupported-combination");return u.query=t,u}let l={filter:r,value:t.filters[r],sort:t.order,page:t.page};
if(e.fixed[r])return{status:200,file:O(e.fixed[r].file,l),query:t};let f=r?"by":t.order===e.sorts[0]?"plain":"sorted";return{
status:200,file:e.root+O(n.files[f],l),query:t}}function _t(t){return t.replace(/%(?:2[BbCc]|3[Aa])/g,e=>String.fromCharCode(parseInt(e.slice(1),16)))}function xe(t){let e=/^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.
exec(t),n=e[2]+(e[3]?`.${e[3]}`:"");return n==="0"?"0":e[1]+n+(e[5]?`e${e[4]==="-"?"-":""}${e[5]}`:"")}function lt(t,e,n,s){
let o=_t(n),r=s.asked.values,i=(g,w)=>({fault:`"${t}" ${g}.`,about:w?[t,w]:null}),c=g=>!ct(e,g,s),a=g=>e==="number"?xe(g):
g,l=`has a value that no ${t} can have`,f=o.indexOf("..");if(f>=0&&s.asked.ranged.includes(e)){let g=[o.slice(0,f),o.slice(
f+2)];if(!g[0]&&!g[1])return i("has a range with neither end");let w=g.find(N=>N&&c(N));if(w)return i(l,w);let k=g[0]?a(
g[0]):null,$=g[1]?a(g[1]):null,R=e==="number"?Number(k)>Number($):k>$;return k!==null&&$!==null&&R?i("has a range that e\
nds before it begins"):{how:"range",low:k,high:$,text:`${k??""}..${$??""}`}}let u=/^(?:all|not):/.test(o)?o.slice(0,3):"\
any",h=(u==="any"?o:o.slice(4)).split(",");if(h.some(c))return i(l,h.find(c));let m=h.map(a).sort(),d=m.filter((g,w)=>g!==
m[w-1]);if(d.length>r)return i(`takes at most ${r} different values`);let p=d.join(",");return u==="not"||u==="all"&&d.length>
1?{how:u,values:d,text:`${u}:${p}`}:{how:"any",values:d,text:p}}function Ut(t,e,n,s){let o=F(t,e.map(r=>[r,s.index.labels[n.
name][r]??""]),s);return o.length?o:e}function $e(t,e,n,s){let o=Object.keys(e).filter(l=>e[l]),r=t.by===void 0?[]:_t(t.
by).split(","),i=r.find(l=>!o.includes(l));if(r.length>s.asked.by||new Set(r).size<r.length||i!==void 0){let l=i===void 0?
o:Ut(i,o,n,s);return x(s,"invalid-parameter",`by names at most ${s.asked.by} different filters.`,l)}if(t.like===void 0)return{
by:r,like:null};if(!r.length)return x(s,"invalid-parameter","like goes with by, whose values it is about.");let{text:c,fault:a}=st(
t.like,"like",s);return a?x(s,"invalid-parameter",a):{by:r,like:c}}var zt={text:st,constraint:lt,count:$e,near:Ut};function K(t,e,n){return x(n,"not-found",`There is no page ${t}: the list has ${e} page${e===1?"":"s"}.`)}function Z(t,e,n,s){
let o=s.lists.find(({name:a})=>a===t),i=!s.unprepared.includes(T(o,s)[e])?`; ${s.prefix}${o.root}${O(s.files.values,{filter:e})}\
 lists its values`:"";return{...x(s,"not-found",`No ${s.kinds[t]} has the ${e} "${n}"${i}.`),about:[t,e,n]}}async function V(t,e,n){
if(!t.about)return t;let[s,o,r]=t.about,i=n.lists.find(({name:c})=>c===s);if(n.unprepared.includes(T(i,n)[o]))return t;try{
let c=await e(i.root+O(n.files.values,{filter:o})),{data:a}=JSON.parse(new TextDecoder().decode(c)),l=F(ke(r),a.values.map(
f=>[f.value,f.label]),n);return l.length?{...t,allowed:l}:t}catch{return t}}function ke(t){try{return decodeURIComponent(
t.replace(/\+/g," ").replace(/%(?![0-9A-Fa-f]{2})/g,"%25"))}catch{return t}}function A(t,e){return{...e.unavailable,detail:t}}
function P(t,e){return A(`The search index is damaged: ${t}. Unless it is being published just now, build and publish it\
 again.`,e)}function Oe(t,e,n,s){return Et(t,e,n,s,zt)}function Rt(t,e){let n=new URL(e);return n.pathname=t,n.search="",n}async function It(t,e,n,s){
let{pathname:o,search:r}=new URL(t.url),i=Oe(t.method,o,r.slice(1),n),c=t.method==="HEAD";if(i.allow)return Se(i,n);if(i.
problem&&i.query&&s)return ve(i.query,t,e,n,s);let a=p=>Ct(p,t,e);if(i.problem)return ft(await V(i,a,n),n,c);let l=i.file.
startsWith(n.api),f=i.record||i.query&&(i.query.filters.program||i.query.filters.organization),u=f?"GET":t.method,h=i.file.
includes("//")?new Response(null,{status:404}):await e(i.file,{method:u,headers:t.headers,redirect:"manual"});if(!l&&h.status!==
404)return h;if(!l){let p=await e(n.missing,{method:t.method}),{body:g,headers:w}=p.ok?p:h;return new Response(c?null:g,
{status:404,headers:w})}if(h.status===404){let p=await be(i,a,n);return p?new Response(null,{status:308,headers:{...n.headers,
location:p}}):ft(await V(await Ae(i,a,n),a,n),n,c)}let m=new Headers(h.headers);for(let[p,g]of Object.entries(n.headers))
m.set(p,g);(h.ok||h.status===304)&&m.set("content-location",n.prefix+i.file);let d=c||h.status===304?null:h.body;if(f&&h.
ok){let p=await h.text();if(Dt(p)){let{links:g,data:w}=JSON.parse(p),k=i.record?`${n.prefix}${i.record.root}/${w.replaced_by}`:
g.replaced_by;return new Response(null,{status:308,headers:{...n.headers,location:k}})}d=c?null:p}return new Response(d,
{status:h.status,headers:m})}async function ve(t,e,n,s,o){let r=e.headers.get("if-none-match")??"",i=m=>(r.match(/"[^"]*"/g)??
[]).includes(m),c=e.method==="HEAD",a=(m,d)=>Ct(m,e,n,d),{body:l,etag:f,...u}=await o(t,a,s,i);if(!f)return ft(await V(u,
a,s),s,c);let h={...s.headers,etag:f};return!l||r.trim()==="*"?new Response(null,{status:304,headers:h}):new Response(c?
null:l,{headers:{...h,"content-type":s.json}})}async function Ct(t,e,n,s){let o=new Headers(e.headers),r=["if-match","if\
-none-match","if-modified-since","if-unmodified-since","if-range"];for(let a of[...r,"range","accept-encoding"])o.delete(
a);let i=await n(t,{headers:o},s),c=await i.arrayBuffer();return i.ok?new Uint8Array(c):null}function Dt(t){return t.slice(
0,99).includes('"kind":"moved"')}async function be(t,e,n){let[s,o]=Object.entries(t.query&&t.query.filters||{})[0]||[],r=n.
lists.find(({name:a})=>n.kinds[a]===s),i=r&&await e(r.root+O(n.files.record,{slug:o})),c=i&&new TextDecoder().decode(i);
if(!(!c||!Dt(c)))return n.prefix+t.file.replace(`/${s}/${o}/`,`/${s}/${JSON.parse(c).data.replaced_by}/`)}async function Ae(t,e,n){
if(t.record)return x(n,"not-found",`There is no ${n.kinds[t.record.name]} "${t.slug}".`);if(!t.query)return x(n,"not-fou\
nd");let{collection:s,filters:o,page:r}=t.query,i=await e(t.file.replace(/[0-9]+(?=\.json$)/,"1")),c=i?Me(i):0;if(c&&r>c)
return K(r,c,n);let a=Object.entries(o).filter(([l])=>!n.lists.some(f=>l in f.fixed));return!i&&a.length?Z(s,...a[0],n):
{...n.unavailable,detail:`The build is damaged: ${t.file} is missing. Build it again.`}}function Me(t){try{return JSON.parse(
new TextDecoder().decode(t)).page.total_pages}catch{return 0}}function ft(t,e,n){let s={...e.headers,...t.headers,"conte\
nt-type":e.type},{status:o,title:r,detail:i}=t,c=t.problem?jt(t,e):{type:"about:blank",title:r,status:o,detail:i};return new Response(
n?null:`${JSON.stringify(c)}
`,{status:o,headers:s})}function Se(t,e){let n={...e.headers,allow:t.allow.join(", ")};return t.status===204?new Response(
null,{status:204,headers:{...n,...e.preflight}}):new Response(`${e.not_allowed}
`,{status:t.status,headers:{...n,"content-type":e.type}})}var I=class extends Error{},y=class extends Error{},v=new TextEncoder,Te=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}),
Pt=`,"check":"00000000"}
`;function L(t){try{return Te.decode(t)}catch{throw new y}}function B(t,e,n){let s=new Uint32Array(n+2);for(let r=0;r<t.
length;r++)s[e(t[r])+1]++;for(let r=1;r<s.length;r++)s[r]+=s[r-1];let o=new Uint32Array(t.length);for(let r=0;r<t.length;r++)
o[s[e(t[r])]++]=t[r];return o}function q(t,e){if(t.length%e)throw new y;let n=t.slice();return new Uint32Array(new{1:Uint8Array,
2:Uint16Array,4:Uint32Array}[e](n.buffer))}function Lt(t){let e=t.indexOf(10)+1;return t.subarray(e,Math.max(e,t.lastIndexOf(
10,t.length-2)))}function Bt(t,e,n){let s=[];for(let o=0,r;o<=t.length;o=r+1){r=t.indexOf(10,o),r<0&&(r=t.length);let i=e&&
r<t.length;if(s.length===n||i&&t[r-1]!==44)throw new y;s.push(t.subarray(o,r-i))}if(s.length!==n)throw new y;return s}function qt(t){
let e=t.length-Pt.length,n=S(t.subarray(0,e)).toString(16).padStart(8,"0");return e>0&&L(t.subarray(e))===Pt.replace("00\
000000",n)}var M=new Uint32Array(1024);for(let t=0;t<256;t++){let e=t;for(let n=0;n<8;n++)e=e&1?e>>>1^3988292384:e>>>1;M[t]=
e}for(let t=256;t<1024;t++)M[t]=M[t-256]>>>8^M[M[t-256]&255];function S(t){let[e,n]=[-1,0];for(let s=t.length-3;n<s;n+=4)
e^=t[n]|t[n+1]<<8|t[n+2]<<16|t[n+3]<<24,e=M[768+(e&255)]^M[512+(e>>>8&255)]^M[256+(e>>>16&255)]^M[e>>>24];for(;n<t.length;n++)
e=e>>>8^M[(e^t[n])&255];return~e>>>0}var[je,Ne]=[/^-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?$/,/^[1-9][0-9]{0,6}$/];function Ee(t){let e=0;for(let n=0;n<
t.length;n++)e+=t[n];return e}function _e(t,e,n){let s=!0;for(let o=0;o<t.length;o++)s&&=t[o]>=e&&t[o]<=n;return s}var U=class{constructor(e,n){
Object.assign(this,{name:e,reader:n,records:n.manifest.count,...n.manifest.columns[e]})}files(e){let n=new Set(e&&Array.
from(e,o=>Math.floor(o/this.chunk))),s=Array.from({length:Math.ceil(this.records/this.chunk)},(o,r)=>[`columns/${this.name}`,
r]);return e?s.filter(([,o])=>n.has(o)):s}get listed(){return[`columns/${this.name}/values`,0]}parts(){return this.files().
flatMap(e=>{let n=this.reader.have(...e);if(!n)return[];let s=e[1]*this.chunk,o=Math.min(this.chunk,this.records-s),r=n.
subarray(0,o*this.counts),i=this.counts?q(r,this.counts):null,c=q(n.subarray(r.length),this.width);if(!(i?i.length===o&&
Ee(i)===c.length:c.length===o)||!_e(c,i?1:0,this.values))throw new y;return[[s,c,i]]})}numbers(){let e=new Uint32Array(this.
records);if(this.counts)throw new y;for(let[n,s]of this.parts())e.set(s,n);return e}places(e,n){let s=this.numbers(),o=new Uint32Array(
this.values+1);for(let a=0;a<s.length;a++)o[s[a]]++;let r=0;for(let a=1;a<=this.values+1;a++){let l=a>this.values?0:n?this.
values+1-a:a;r+=o[l],o[l]=r-o[l]}let i=new Map,c=0;for(let a of Array.from(e).sort((l,f)=>l-f)){for(;c<a;c++)o[s[c]]++;i.
set(a,o[s[a]])}return i}tally(e){let n=new Uint32Array(this.values+1);for(let[s,o,r]of this.parts())if(r)for(let i=0,c=0;i<
r.length;i++){let a=c+r[i];if(e[s+i])for(;c<a;)n[o[c++]]++;c=a}else for(let i=0;i<o.length;i++)e[s+i]&&n[o[i]]++;return n[0]=
0,n}lines(){let e=L(this.reader.have(...this.listed)).split(`
`);if(e.pop()!==""||e.length!==this.values)throw new y;let n;return e.map(s=>{let o=s.split("	"),[r,i]=[this.key(o[0]),Number(
o[2])],c=this.type==="text"?/^[\0-\x7f]*$/:je;if(!(o.length===3&&c.test(o[0])&&Ne.test(o[2])&&i<=this.records)||r<=n)throw new y;
return n=r,[o[0],o[1],i]})}key(e){return this.type==="text"?e:Number(e)}between(e,n,s){let o=this.lines().map(([c])=>this.
key(c)),r=e===null?0:o.filter(c=>c<this.key(e)).length,i=n===null?o.length:o.filter(c=>c<=this.key(n)).length;for(let[c,
a,l]of this.parts())for(let f=0,u=c,h=l?l[0]:1;f<a.length;f++,h--){for(;!h;)h=l?l[++u-c]:(u++,1);a[f]>r&&a[f]<=i&&s(u)}}};function Jt(t,e,n){let s=t.replace(/^\*|^=(?=\/)/,"");if(s[0]==="/"){let i=s.slice(0,s.indexOf("/",1));return e.has(i)?s:
i}let o=[...s];if(s[0]==="="||o.length<n)return s;let r=n;for(;e.has(o.slice(0,r).join(""))&&r<o.length;)r+=1;return o.slice(
0,r).join("")}var X=t=>`=${t}`;function j(t,{manifest:{split:e,shards:n},table:s},o=!1){return{shard:S(v.encode(Jt(t,e,s.
index.prefix)))&n-1,key:v.encode(t),more:o,bodies:[]}}function Ht(t,e){let[{split:n},{prefix:s}]=[e.manifest,e.table.index],
o=[...t].length<s;return!o&&n.has(Jt(t,n,s))?[j(t,e),j(`*${t}`,e)]:[j(t,e,!o)]}var Y=class{constructor(e){Object.assign(
this,{data:e,at:0})}next(){let e=0;for(let n=1;n<=2**28;n*=128){let s=this.data[this.at++];if(e+=(s&127)*n,s<128)return e}
throw new y}};function Wt(t,e){let n=new Y(t),[s,o]=[0,0];for(;n.at<t.length;){let r=n.next(),i=n.at;n.at+=r;let c=n.next()+
n.at,a=0;for(;a<r&&a<o&&t[s+a]===t[i+a];)a++;if(c>t.length||a===r||a<o&&t[s+a]>t[i+a])throw new y;for(let{key:l,more:f,bodies:u}of e){
if(r<l.length||!f&&r>l.length)continue;let h=0;for(;h<l.length&&t[i+h]===l[h];)h++;h===l.length&&u.push([t.subarray(n.at,
c),r===h])}s=i,o=r,n.at=c}}function ut(t,e,{table:n},s){let{levels:o}=n.index,r=new Y(t),i=0;for(;r.at<t.length;){let c=t[r.
at]>>3,a=t[r.at++]&7,l=r.next(),f=r.at,u=l*(a||1)+f;if(c<i||c>=o||![0,1,2,4].includes(a)||!l||u>t.length)throw new y;if(a&&
l>e)throw new y;i=c+1,r.at=u;for(let h=0;a&&f<u;f+=a){if(h+=t[f],a>1&&(h+=t[f+1]<<8),a>2&&(h+=(t[f+2]<<16)+t[f+3]*2**24),
h>=e)throw new y;s(h,c)}for(let h=0;f<u;h+=8)for(let m=h,d=t[f++];d;m++,d>>=1)if(d&1){if(m>=e)throw new y;s(m,c)}}}var Ue=42;function mt(t){let{query:e,list:n,table:s}=t,o=e.q===null?[]:[...new Set(D(e.q,s))],r=T(n,s),i=Object.entries(
e.filters).map(([a,l])=>{let f=n.fixed[a]?{how:"any",values:[l]}:lt(a,r[a],l,s),u=f.how==="range"||s.unprepared.includes(
r[a])?dt:ht;return new u(a,f,t)}),c=new Uint8Array(t.manifest.count);return[...i,...o.map((a,l)=>new pt(a,l,o.length,c,t))]}
var Q=class{constructor(e,{how:n,values:s,low:o,high:r},i){let c=new Uint8Array(i.manifest.count);Object.assign(this,{name:e,
how:n,values:s,low:o,high:r,reader:i,marks:c,seeks:[],files:[]})}meet(){let{how:e,marks:n}=this,s=this.values??[null];s.
forEach((r,i)=>{e==="all"?this.each(i,c=>n[c]+=n[c]===i):this.each(i,c=>n[c]=1)});let o=e==="all"?s.length:1;for(let r=0;r<
n.length;r++)n[r]=n[r]>=o==(e!=="not")}},ht=class extends Q{constructor(e,n,s){super(e,n,s),this.keys=this.values.map(o=>O(
s.table.index.key,{filter:e,value:o})),this.seeks=[...this.keys,...this.keys.map(X)].map(o=>j(o,s))}each(e,n){let{name:s,
values:o,reader:r,marks:i}=this,[c]=this.seeks[e].bodies;if(!c)throw Z(r.query.collection,s,o[e],r.table);ut(c[0],i.length,
r,(a,l)=>l||n(a))}lists(){let{name:e,how:n,values:s,reader:o,keys:r}=this;return n==="not"?[]:s.map((i,c)=>{let a=s.length>
1?new Uint8Array(this.marks.length):this.marks;s.length>1&&this.each(c,h=>a[h]=1);let{fixed:l,root:f}=o.list;return{path:l[e]?
l[e].file:f+O(o.table.files.by,{filter:e,value:i,page:":page"}),pages:this.seeks[r.length+c],marks:a}})}},dt=class extends Q{constructor(e,n,s){
super(e,n,s),this.column=new U(e,s),this.files=[this.column.listed,...this.column.files()]}each(e,n){let{low:s,high:o,values:r,
column:i}=this;r?i.between(r[e],r[e],n):i.between(s,o,n)}},pt=class{constructor(e,n,s,o,r){let{count:i,language:c}=r.manifest;
Object.assign(this,{place:n,words:s,named:o,reader:r,marks:new Uint8Array(i),files:[]});let a=/^en(-|$)/.test(c)?bt(e):[];
this.own=Ht(e,r),this.seeks=[...this.own,...a.map(l=>j(l,r))]}meet(){let{marks:e,named:n,place:s,words:o,reader:r,own:i}=this,
{index:c}=r.table;for(let a of this.seeks)for(let[l,f]of a.bodies){let u=f&&a.key[0]!==Ue,h=u?c.whole:c.begun,m=u&&i.includes(
a)?c.named+o-1:-1;ut(l,e.length,r,(d,p)=>{e[d]<h[p]?e[d]=h[p]:p===m&&n[d]===s&&n[d]++})}}};function C({collection:t,mode:e,q:n,filters:s,sort:o,by:r,like:i},c,a){let l=[`mode=${e}`];n!==null&&l.push(`q=${Ft(n)}`);
for(let[f,u]of Object.entries(s))l.push(`${f}=${u}`);return r&&r.length&&l.push(`by=${r}`),typeof i=="string"&&l.push(`l\
ike=${Ft(i)}`),o&&l.push(`sort=${o}`),c>1&&l.push(`page=${c}`),`${a.prefix}${a.lists.find(({name:f})=>f===t).root}?${l.join(
"&")}`}function Gt(t,e,n,s,o,r){let i=r.lists.find(({name:g})=>g===t.collection),{page:c,order:a,q:l,filters:f}=t,u=g=>C(
t,g,r),h={schema_version:r.schema_version,kind:`${r.kinds[i.name]}_list`,...o.as_of===null?{}:{as_of:o.as_of},query:{mode:"\
page",page:c,sort:a,q:l,filters:f},page:{number:c,size:o.size,count:e.length,total_items:n,total_pages:s},links:{self:u(
c),first:u(1),prev:c>1?u(c-1):null,next:c<s?u(c+1):null,last:u(s),filters:r.prefix+i.root+r.files.filters}},m=JSON.stringify(
h).slice(0,-1),d=e.flatMap((g,w)=>[v.encode(w?`,
`:`${m},"data":[
`),g]);d.push(v.encode(e.length?`
]}
`:`${m},"data":[]}
`));let p=new Uint8Array(d.reduce((g,w)=>g+w.length,0));return d.reduce((g,w)=>(p.set(w,g),g+w.length),0),p}function Ft(t){
return encodeURIComponent(t).replace(/[!\x27()*]/g,e=>`%${e.charCodeAt(0).toString(16).toUpperCase()}`)}function Kt(t,e,n,{list:s,table:o,manifest:{as_of:r}}){let{q:i,filters:c,by:a,like:l}=t,f={collection:s.name,mode:"page",
q:i,filters:c,sort:"",order:s.sorts[0],page:1},{file:u}=at(f,s,o,T(s,o)),h=o.index.most.values,m=n.map(([p,g])=>{let w=g.
slice(0,h).map(([R,N,E])=>({value:R,label:N,count:E})),[k,$]=[g.length,g.length>h];return[p,{label:o.index.labels[s.name][p],
total_values:k,truncated:$,values:w}]}),d={schema_version:o.schema_version,kind:`${o.kinds[s.name]}_count`,...r===null?{}:
{as_of:r},query:{mode:t.mode,q:i,filters:c,by:a,like:l},total_items:e,links:{self:C(t,1,o),list:u?o.prefix+u:C(f,1,o)},counts:Object.
fromEntries(m)};return v.encode(`${JSON.stringify(d)}
`)}var z=(t,e,n)=>Number.isInteger(t)&&t>=e&&t<=n,gt=(t,e)=>typeof t=="string"&&e.test(t);function Zt(t,e,n){let{most:s,format:o}=n.
index,{unicode:r}=n.folding,i;try{if(i=t.length<=s.manifest?JSON.parse(L(t)):null,i.kind!=="search_index"||!z(i.format,0,
2**30))throw new y;if(i.format!==o)throw A(`The search index has the format ${i.format}; this program reads ${o}.`,n);if(!qt(
t)||i.collection!==e.name)throw new y;if(!gt(i.unicode,/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/))throw new y;if(i.unicode!==r){
let c=`was made by Unicode ${i.unicode}; this program folds words by ${r}`;throw A(`The search index ${c}. They go toget\
her in one version of the generator.`,n)}return ze(i,e,n.index)}catch(c){throw c.status?c:P("its manifest is not one tha\
t a build writes",n)}}function ze(t,{name:e},{most:n,rows:{small:s,large:o,many:r,few:i},columns:c}){let a=c[e],{count:l,
size:f,as_of:u,language:h,shards:m,split:d,rows:p,row_bytes:g,columns:w,files:k}=t,$=o;for(;$*r<l;)$*=2;let R=Math.ceil(
l/(i*$))*$,N=R>$?[s,$,R]:[s,$],E={keys:m};for(let b of N.slice(1))E[`rows/${b}`]=Math.ceil(l/b);for(let b of a){let{type:et,
values:nt,width:se,counts:kt,chunk:Ot}=w[b];if(!(["text","number"].includes(et)&&z(nt,0,kt?2**30:l)&&se===(nt<2**8?1:nt<
2**16?2:4)&&[0,1,2,4].includes(kt)&&z(Ot,1,2**30)))throw new y;E[`columns/${b}`]=Math.ceil(l/Ot),E[`columns/${b}/values`]=
1}if(!(z(l,0,n.records)&&z(f,1,n.size)&&z(m,1,n.records)&&!(m&m-1)&&z(g,0,2**30)&&JSON.stringify(p)===JSON.stringify(N)&&
Object.keys(w).length===a.length&&Object.keys(k).length===Object.keys(E).length&&Object.entries(E).every(([b,et])=>Re(k[b])===
et)&&gt(h,/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/)&&(u===null||gt(u,/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/))&&Array.isArray(d)&&
d.every(b=>typeof b=="string")))throw new y;return{...t,split:new Set(d)}}function Re(t){let e=/^[A-Za-z0-9+/]*(={0,2})$/.
exec(t)[1].length;return t.length%4?-1:(t.length/4*3-e)/4}function wt({files:t,rows:[e,n]},s,o){if(s===`rows/${e}`)return wt(
{files:t,rows:[]},`rows/${n}`,Math.floor(o*e/n));let r=atob(t[s].substr(Math.floor(o/3)*16,16));return[3,2,1,0].reduce((i,c)=>i*
256+r.charCodeAt(o%3*4+c),0)}var Ie=16*2**20,[J,yt]=[new Map,new Map],xt=0;function Ce(t,e){J.delete(t)||(xt+=e.length),J.set(t,e);for(let[n,{length:s}]of J){
if(xt<=Ie)break;J.delete(n),xt-=s}return e}var Vt=t=>t.toString(16).padStart(8,"0");function De(t){let e=t.subarray(0,-9);
return v.encode(`${Vt(S(e))}
`).every((s,o)=>s===t[e.length+o])?e:null}var tt=class{constructor(e,n,s,o){let{most:r}=s.index,i=Date.now()+r.seconds*1e3,
c=s.lists.find(({name:a})=>a===e.collection);Object.assign(this,{query:e,read:n,table:s,again:o,most:r,until:i,list:c}),
this.begin(o?null:yt.get(c.name))}begin(e){Object.assign(this,{manifest:e,reads:1,bytes:0,held:new Map})}async one(e,n=this.
again){try{return await this.read(e,n)}catch{throw A("The search index cannot be read.",this.table)}}async current(){let{
name:e}=this.list,n=await this.one(O(this.table.index.manifest,{collection:e}));if(!n)throw A(`There is no search index \
of ${e} here.`,this.table);let s=S(n),o=yt.get(e);return(!o||o.check!==s||o.bytes!==n.length)&&(o={...Zt(n,this.list,this.
table),check:s,bytes:n.length},yt.set(e,o)),o}async fetch(e,n=[],s=0){let{manifest:o,held:r}=this,i=new Map;for(let[a,l]of e){
let f=wt(o,a,l),u=O(this.table.index.file,{collection:this.list.name,what:a,number:`${l}-${Vt(f)}`});i.set(`${a},${l}`,[
u,f,a===`rows/${o.rows[0]}`])}for(let[a,l]of n)i.set(a,[a,l]);this.bound(i.size,s);let c=async([a,[l,f,u]])=>{let h=a===
l,m=J.get(`${l} ${f}`),d=w=>{let k=w&&(h?Lt(w):u?De(w):w);return k&&(m||u||S(k)===f)?k:null},p=m??await this.one(l),g=d(
p);if(h&&!g&&!this.again&&this.reads<this.most.reads&&(this.reads++,p=await this.one(l,!0),g=d(p)),g)r.set(a,g),Ce(`${l}\
 ${f}`,p),this.bytes+=p.length;else if(!h)throw new I(`${l} is ${p?"not the file that the manifest means":"missing"}`)};
await Promise.all([...i].map(c)),this.bound(0,0),this.inTime()}have(e,n){return this.held.get(`${e},${n}`)}page(e){return this.
held.get(e)}inTime(){if(Date.now()>this.until)throw A(`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(e,n){
this.reads+=e;let s={reads:this.reads,bytes:this.bytes+n};for(let o in s){if(s[o]<=this.most[o])continue;let r=`This que\
ry needs ${s[o]} ${o}, and at most ${this.most[o]} are allowed.`;throw x(this.table,"invalid-parameter",`${r} Ask with f\
ewer or longer words, or fewer filters.`)}}};var[Pe,Le]=[4096,2**40];async function Xt(t,e,n){let s=Array.from(t),{count:o,rows:r}=n.manifest,i=r.map(u=>({size:u,count:o,
what:`rows/${u}`,places:new Map(s.map(h=>[h,h]))})),c=[...i,...e.flatMap(u=>Be(u,s,n))],a=await Yt(s,c,n),l=s.filter(u=>!a.
has(u)),f=l.length?await Yt(l,i,n):a;return s.map(u=>a.get(u)??f.get(u))}function Be({path:t,pages:e,marks:n,places:s},o,{
manifest:{size:r,count:i}}){let[c]=e.bodies,a=s??qe(n,o);if(!c||!a.size)return[];let l=q(c[0],4),f=n?0:i;if(n)for(let u=0;u<
i;u++)f+=n[u];if(l.length!==Math.max(1,Math.ceil(f/r)))throw new y;return[{size:r,count:f,path:t,checks:l,places:a}]}function qe(t,e){
let n=new Map,[s,o]=[0,0];for(let r of e.filter(i=>t[i]).sort((i,c)=>i-c)){for(;o<r;o++)s+=t[o];n.set(r,s)}return n}async function Yt(t,e,n){
let{row_bytes:s}=n.manifest,o=Je(t,e,s,n.most.reads-n.reads),r=[...new Set(o)],i=r.filter(({source:u})=>u.what).map(({source:u,
n:h})=>[u.what,h]),c=({source:u,n:h})=>O(u.path,{page:h+1}),a=r.filter(({source:u})=>u.path).map(u=>[c(u),u.source.checks[u.
n]]);await n.fetch(i,a,r.reduce((u,{source:h})=>u+h.size*s,0));let l=new Map;for(let u of r){let{source:h,n:m}=u,d=h.what?
n.have(h.what,m):n.page(c(u));if(!d)continue;let p=h.what&&d[d.length-1]===10?d.subarray(0,-1):d;l.set(u,Bt(p,!h.what,Math.
min(h.size,h.count-m*h.size)))}let f=new Map;return t.forEach((u,h)=>{let{source:m}=o[h],d=l.get(o[h]);d&&f.set(u,d[m.places.
get(u)%m.size])}),f}function Je(t,e,n,s){for(let o=Pe;;o*=2){let r=He(t,e,n,o);if(new Set(r).size<=s||o>=Le)return r}}function He(t,e,n,s){
let o=e.flatMap(i=>{let c=new Map;return t.forEach((a,l)=>{if(!i.places.has(a))return;let f=Math.floor(i.places.get(a)/i.
size);c.has(f)||c.set(f,{source:i,n:f,rows:new Set}),c.get(f).rows.add(l)}),[...c.values()].sort((a,l)=>a.n-l.n)}),r=[];
for(let i=t.length;i;){let c=o[0],a=({source:f,rows:u})=>(s+f.size*n)/u.size;for(let f of o)a(f)<a(c)&&(c=f);let l=[...c.
rows];i-=l.length;for(let f of l)r[f]=c;for(let f of o)for(let u of l)f.rows.delete(u)}return r}var We=2**25;function Fe(t,e){let n=Math.floor(e*256/Math.max(1,t)),s=32-Math.clz32(n);return(s-9)*8+(n>>>s-4&7)+1}function Qt(t,e,n,s){
let o=new Uint32Array(s);for(let{marks:c}of e){let a=0;for(let f=0;f<s;f++)c[f]&&a++;let l=Fe(a,s);for(let f=0;f<t.length;f++)
o[t[f]]+=l*c[t[f]]}for(let c=0;c<t.length;c++)n[t[c]]===e.length&&(o[t[c]]+=We);let r=8191,i=B(t,c=>r-(o[c]&r),r);return B(
i,c=>r-(o[c]>>>13),r)}var Ge=2;async function ee(t,e,n,s=()=>!1){let o;for(let r=1;r<=2;r++){let i=new tt(t,e,n,r>1);try{return await Ke(i,s)}catch(c){
if(c.status)return c;if(c instanceof y)return P("a file of it is not one that a build writes",n);if(!(c instanceof I))throw c;
if(i.manifest===o)return P(c.message,n);o=i.manifest}}return A("The registry is being replaced; ask again in a moment.",
n)}async function Ke(t,e){let n=t.manifest&&Ze(te(t,e)),[s,o]=await Promise.all([t.current(),n]);return s===t.manifest?o():
(t.begin(s),te(t,e))}var Ze=t=>t.then(e=>()=>e,e=>()=>{throw e});async function te(t,e){let{query:n,table:s,manifest:o}=t,
r=Ve(n,o,s);return e(r)?{etag:r}:{body:await(n.mode==="count"?Xe(t):Ye(t)),etag:r}}function Ve(t,{check:e,bytes:n},s){let o=S(
v.encode(`${s.made} ${C(t,t.page??1,s)}`));return`"${[e,n,o].map(r=>r.toString(16)).join("-")}"`}async function Ye(t){let{
query:e,table:n,manifest:s,list:o}=t,{size:r}=s,i=mt(t),c=e.order==="relevance"||e.order===o.sorts[0]?null:new $t(e.order,
t),a=await ne(i,c?c.seeks:[],c?c.early:[],t),l=new Uint32Array(s.count),f=0;for(let $=0;$<a.length;$++)a[$]===i.length&&
(l[f++]=$);let u=l.subarray(0,f),h=i.filter(({named:$})=>$),m=()=>Qt(u,h,h[0].named,s.count),d=e.order==="relevance"?m():
c?await c.ordered(u):u,p=Math.max(1,Math.ceil(f/r));if(e.page>p)throw K(e.page,p,n);let g=d.subarray((e.page-1)*r,e.page*
r),w=i.flatMap($=>$.lists?.()??[]),k=await Xt(g,c?[...w,...c.lists(g)]:w,t);return Gt(e,k,f,p,s,n)}async function ne(t,e,n,s){
let o=[...t.flatMap(a=>a.seeks),...e],r=[...new Set(o.map(({shard:a})=>a))],i=[...r.map(a=>["keys",a]),...t.flatMap(a=>a.
files),...n];await s.fetch(i);for(let a of r)Wt(s.have("keys",a),o.filter(l=>l.shard===a)),s.inTime();let c=new Uint16Array(
s.manifest.count);for(let a of t){a.meet();let{marks:l}=a;for(let f=0;f<c.length;f++)l[f]&&c[f]++;s.inTime()}return c}var $t=class{constructor(e,n){
let{list:s,table:o}=n;Object.assign(this,{reader:n,down:e[0]==="-",column:new U(e.replace("-",""),n)});let r=this.column.
files();this.early=r.length<=Ge?r:[],this.seeks=s.sorts.includes(e)?[j(X(e),n)]:[],this.path=s.root+O(o.files.sorted,{sort:e,
page:":page"})}async ordered(e){let{column:n,down:s,early:o,reader:r}=this;o.length||await r.fetch(n.files(e));let[i,c]=[
n.numbers(),n.values];return B(e,a=>i[a]?s?c-i[a]:i[a]-1:c,c)}lists(e){let{column:n,down:s,early:o,seeks:r,path:i}=this;
return!o.length||!r.length?[]:[{path:i,pages:r[0],places:n.places(e,s)}]}};async function Xe(t){let{query:e,table:n,manifest:s}=t,
o=mt(t),r=e.by.map(u=>new U(u,t)),i=r.map(({name:u})=>o.filter(h=>h.name!==u)),c=r.flatMap((u,h)=>[u.listed,...i[h].length?
u.files():[]]),a=await ne(o,[],c,t),l=0;for(let u=0;u<a.length;u++)a[u]===o.length&&l++;let f=r.map((u,h)=>{let m=u.lines();
if(i[h].length){let d=o.find(w=>w.name===u.name),p=new Uint8Array(a.length);for(let w=0;w<a.length;w++)p[w]=a[w]-(d?d.marks[w]:
0)===i[h].length;let g=u.tally(p);m.forEach((w,k)=>w[2]=g[k+1]),m=m.filter(w=>w[2])}return e.like!==null&&(m=m.filter(d=>Qe(
e.like,d.slice(0,2),n))),m.sort((d,p)=>p[2]-d[2]||(d[0]<p[0]?-1:1)),t.inTime(),[u.name,m]});return Kt(e,l,f,t)}function Qe(t,e,n){
let s=e.flatMap(o=>D(o,n));return D(t,n).every(o=>s.some(r=>r.startsWith(o)))}Object.assign(edge,{beside:Rt,respond:It,search:ee});})();
