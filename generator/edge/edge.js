(()=>{var R;function ye(t){let e=(l,f)=>l?l.split(f).map(u=>parseInt(u,36)):[],n=l=>Uint32Array.from(e(l," "),(f=>u=>f+=u)(0)),
s=new Map,o=0;for(let l of t.folds.split(";")){let[,f,u,h,p,d]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(l),m=e(d,"+");o+=parseInt(
f,36);for(let w=0,g=o;w<parseInt(u||"1",36);w++,g+=h?2:1)s.set(g,String.fromCodePoint(...p==="="?m:[g+m[0]]))}let{composed:r,
letters:i,signs:c,paired:a}=t;return{folds:s,composed:n(r),letters:n(i),signs:n(c),paired:n(a)}}function G(t,e){let[n,s]=[
0,t.length];for(;n<s;){let o=n+s>>1;t[o]<=e?n=o+1:s=o}return n%2===1}function xe(t,e){if(!/[^\0-\x7f]/.test(t))return t.
toLowerCase();R??=ye(e.folding);let n=s=>R.folds.get(s.codePointAt(0))??s;return Array.from(t,s=>{let o=s.codePointAt(0);
return o<128?s.toLowerCase():R.folds.has(o)||!G(R.composed,o)?n(s):Array.from(s.normalize("NFKD"),n).join("")}).join("")}
function P(t,e){let n=o=>{let r=o.codePointAt(0);return r===39||r===8217?"'":(r<128?/[a-z0-9]/.test(o):G(R.letters,r))?o:
" "};return Array.from(xe(t,e),n).join("").replace(/''+/g," ").replace(/'/g,"").split(" ").flatMap($e)}function $e(t){let e=[],
n;for(let s of t){let o=s.codePointAt(0);if(!e.length&&o>127&&G(R.signs,o))continue;let r=Tt(o);r===n?e.push(e.pop()+s):
e.push(s),n=r}return e}var Tt=t=>t>127&&G(R.paired,t);function I(t,e){return P(t,e).flatMap(n=>{let s=Array.from(n);return s.
length<3||!Tt(s[0].codePointAt(0))?[n]:s.slice(1).map((o,r)=>s[r]+o)})}function jt(t){if([...t].length<4||!/[^s]s$/.test(
t))return[];let e=[t.slice(0,-1)];return t.endsWith("es")&&e.push(t.slice(0,-2)),t.endsWith("ies")&&e.push(`${t.slice(0,
-3)}y`),e}function rt(t,e,n){let{characters:s,words:o}=n.text,r=/%(?![0-9A-Fa-f]{2})/g,i;try{i=decodeURIComponent(t.replace(
/\+/g," ").replace(r,"%25"))}catch{i="�"}if(i.includes("�"))return{fault:`${e} is not percent-encoded UTF-8.`};if(t.
search(r)>=0||[...i].length>s)return{fault:`${e} is percent-encoded text of at most ${s} characters.`};let c=P(i,n).length;
return c>=1&&c<=o?{text:i}:{fault:`${e} has 1 to ${o} words of letters and digits.`}}var Et=10,ke=60,Oe=2e4,[ve,be,Me,Ae,Se,it]=[0,1,2,3,5,99];function K(t,e,n){let s=l=>Array.from(P(l,n).join("-")).slice(
0,ke),o=s(t),r=e.slice(0,Oe),i=r.map(([l,f])=>Math.min(Nt(o,s(l)),Nt(o,s(f)))),c=[...r.keys()].filter(l=>i[l]<it).sort((l,f)=>i[l]-
i[f]||l-f),a=[...new Set(c.map(l=>r[l][0]))].slice(0,Et);return a.length||r.length>Et?a:r.map(([l])=>l)}function Nt(t,e){
let[n,s]=[t.join(""),e.join("")];if(!n||!s)return it;if(n===s)return ve;if(t.length>1&&s.startsWith(n))return be;if(t.length>
1&&s.includes(`-${n}`))return Me;let o=[3,6,10].filter(a=>t.length>=a).length,r=Te(t,e,o);if(r<=o)return Ae+r-1;let i=s.
split("-"),c=n.split("-").filter(a=>i.includes(a));return n.split("-").includes(s)||c.some(a=>Array.from(a).length>2)?Se:
it}function Te(t,e,n){if(Math.abs(t.length-e.length)>n)return n+1;let s=[],o=[...Array(e.length+1).keys()];for(let r=1;r<=
t.length;r++){let i=[r];for(let c=1;c<=e.length;c++){let a=Math.min(o[c]+1,i[c-1]+1,o[c-1]+(t[r-1]===e[c-1]?0:1));r>1&&c>
1&&t[r-1]===e[c-2]&&t[r-2]===e[c-1]&&(a=Math.min(a,s[c-2]+1)),i.push(a)}if(Math.min(...i)>n)return n+1;s=o,o=i}return o[e.
length]}var Z={page:["by","like"],count:["sort","page"]};function k(t,e,n,s){let o=t.problems[e];return{status:o[0],problem:e,detail:n||
o[2],allowed:s||null}}function Rt(t,e){return{type:e.problem.type.replace(":code",t.problem),title:e.problems[t.problem][1],
status:t.status,detail:t.detail,code:t.problem,allowed:t.allowed,help:e.problem.help}}function ct(t){return t.length>80?
`${t.slice(0,80)}…`:t}function at(t,e){return new RegExp(`^(?:${t})$`).test(e)}function lt(t,e,n){return e.length<=n.longest.
value&&at(n.patterns[t],e)}function It(t){return!/[,:]|\.\.|%2c|%3a/i.test(t)}function _(t,e){let n={mode:"",q:""};t.tagged&&
e.tags.forEach(s=>{n[s]="slug"});for(let s in t.filters)n[s]=t.filters[s];return Z.page.concat(Z.count).forEach(s=>{n[s]=
""}),n}function v(t,e){return t.replace(/:([a-z]+)/g,(n,s)=>e[s])}function je(t){return t.replace(/%([0-9A-Fa-f]{2})/g,(e,n)=>{
let s=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(s)?s:e})}function _t(t,e){return e.prefix&&t.indexOf(
`${e.prefix}/`)===0?t.slice(e.prefix.length):t}function zt(t,e,n,s,o){if(s.methods.indexOf(t)<0)return{status:405,allow:s.
methods};if(t==="OPTIONS")return{status:204,allow:s.methods};let r=je(e),i=_t(r,s);for(let l=0;l<s.lists.length;l++){let f=s.
lists[l];if(i===f.root)return Ee(n,f,s,o);let u=i.indexOf(`${f.root}/`)===0?i.slice(f.root.length+1):"";if(u.length<=s.longest.
slug&&at(s.patterns.slug,u))return n?Ut(i,s):{status:200,file:f.root+v(s.files.record,{slug:u}),record:f,slug:u}}if(Object.
prototype.hasOwnProperty.call(s.documents,i))return n?Ut(i,s):{status:200,file:s.documents[i]};let c=i.indexOf("%")>=0;return(c?
_t(r.replace(/%2f/gi,"/"),s).toLowerCase():i).indexOf(s.api)===0&&(c||!/[^/]\.[a-z0-9]+$/.test(i))?k(s,"not-found"):{status:200,
file:i}}function Ut(t,e){return k(e,"unknown-parameter",`${e.prefix}${t} takes no parameters.`)}function Ee(t,e,n,s){if(!t)
return e.bare?{status:200,file:e.bare}:k(n,"mode-required",`Ask for a page: ${n.prefix}${e.root}?mode=page`);let o=t.split(
"&").map(d=>{let m=d.indexOf("=");return m<0?[d,""]:[d.slice(0,m),d.slice(m+1)]}),r=_(e,n),i=Object.keys(r),c=(d,m)=>s?s.
near(d,m,e,n):m;for(let d=0;d<o.length;d++){if(!o[d][0])return k(n,"invalid-parameter","The query has an empty parameter\
.",i);if(!o[d][1])return k(n,"invalid-parameter",`The parameter "${ct(o[d][0])}" has no value.`,i)}for(let d=0;d<o.length;d++)
if(i.indexOf(o[d][0])<0){let m=`There is no parameter "${ct(o[d][0])}" here.`;return k(n,"unknown-parameter",m,c(o[d][0],
i))}let a={};for(let d=0;d<o.length;d++){if(a[o[d][0]]!==void 0)return k(n,"repeated-parameter",`The parameter "${o[d][0]}\
" is given more than once.`);a[o[d][0]]=o[d][1]}let l=Object.keys(Z);if(l.indexOf(a.mode)<0)return k(n,"mode-required","\
Only mode=page and mode=count are answered.",l);let f=Z[a.mode].filter(d=>a[d]!==void 0)[0];if(f)return k(n,"invalid-par\
ameter",`${f} does not go with mode=${a.mode}.`);let u=a.q===void 0?{text:null}:s?s.text(a.q,"q",n):{text:a.q};if(u.fault)
return k(n,"invalid-parameter",u.fault);let h={collection:e.name,mode:a.mode,filters:{},q:u.text},p=a.mode==="page"?Ne(a,
e,n,c):s?s.count(a,r,e,n):{};if(p.status)return p;for(let d in p)h[d]=p[d];return _e(h,a,e,n,r,s)||ft(h,e,n,r)}function Ne(t,e,n,s){
let o=(t.q===void 0?[]:["relevance"]).concat(e.sorts,e.others),r=t.sort||o[0];if(o.indexOf(r)<0)return k(n,"invalid-para\
meter",`There is no sort "${ct(r)}" here.`,s(r,o));let i=t.page||"1";return at(n.patterns.page,i)?{sort:t.sort||"",order:r,
page:Number(i)}:k(n,"invalid-parameter","A page is a whole number from 1.")}function _e(t,e,n,s,o,r){let i=Object.keys(o).
filter(a=>e[a]!==void 0),c=i.filter(a=>n.fixed[a]&&e[a]!==n.fixed[a].value)[0];if(c)return k(s,"invalid-parameter",`${c}\
 can only be ${n.fixed[c].value}.`,[n.fixed[c].value]);for(let a=0;a<i.length;a++){let l=i[a],f=o[l],u=e[l];if(n.fixed[l])
t.filters[l]=u;else if(f){let p=!r&&(!It(u)||lt(f,u,s))?{text:u}:r?r.constraint(l,f,u,s):{};if(!p.text){let d=p.fault||`\
"${l}" has a value that no ${l} can have.`,m=k(s,"invalid-parameter",d);return p.about&&(m.about=[n.name].concat(p.about)),
m}t.filters[l]=p.text}}}function ft(t,e,n,s){let o=Object.keys(t.filters),r=o[0],i=s[r],c=!r||!i||n.unprepared.indexOf(i)<
0&&It(t.filters[r]),a=r?t.order===e.sorts[0]:e.sorts.indexOf(t.order)>=0;if(t.mode==="count"||t.q!==null||o.length>1||!c||
!a){let u=k(n,"unsupported-combination");return u.query=t,u}let l={filter:r,value:t.filters[r],sort:t.order,page:t.page};
if(e.fixed[r])return{status:200,file:v(e.fixed[r].file,l),query:t};let f=r?"by":t.order===e.sorts[0]?"plain":"sorted";return{
status:200,file:e.root+v(n.files[f],l),query:t}}function Dt(t){return t.replace(/%(?:2[BbCc]|3[Aa])/g,e=>String.fromCharCode(parseInt(e.slice(1),16)))}function Ue(t){let e=/^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.
exec(t),n=e[2]+(e[3]?`.${e[3]}`:"");return n==="0"?"0":e[1]+n+(e[5]?`e${e[4]==="-"?"-":""}${e[5]}`:"")}function ut(t,e,n,s){
let o=Dt(n),r=s.asked.values,i=(w,g)=>({fault:`"${t}" ${w}.`,about:g?[t,g]:null}),c=w=>!lt(e,w,s),a=w=>e==="number"?Ue(w):
w,l=`has a value that no ${t} can have`,f=o.indexOf("..");if(f>=0&&s.asked.ranged.includes(e)){let w=[o.slice(0,f),o.slice(
f+2)];if(!w[0]&&!w[1])return i("has a range with neither end");let g=w.find(y=>y&&c(y));if(g)return i(l,g);let x=w[0]?a(
w[0]):null,O=w[1]?a(w[1]):null,b=e==="number"?Number(x)>Number(O):x>O;return x!==null&&O!==null&&b?i("has a range that e\
nds before it begins"):{how:"range",low:x,high:O,text:`${x??""}..${O??""}`}}let u=/^(?:all|not):/.test(o)?o.slice(0,3):"\
any",h=(u==="any"?o:o.slice(4)).split(",");if(h.some(c))return i(l,h.find(c));let p=h.map(a).sort(),d=p.filter((w,g)=>w!==
p[g-1]);if(d.length>r)return i(`takes at most ${r} different values`);let m=d.join(",");return u==="not"||u==="all"&&d.length>
1?{how:u,values:d,text:`${u}:${m}`}:{how:"any",values:d,text:m}}function Ct(t,e,n,s){let o=K(t,e.map(r=>[r,s.index.labels[n.
name][r]??""]),s);return o.length?o:e}function Re(t,e,n,s){let o=Object.keys(e).filter(l=>e[l]),r=t.by===void 0?[]:Dt(t.
by).split(","),i=r.find(l=>!o.includes(l));if(r.length>s.asked.by||new Set(r).size<r.length||i!==void 0){let l=i===void 0?
o:Ct(i,o,n,s);return k(s,"invalid-parameter",`by names at most ${s.asked.by} different filters.`,l)}if(t.like===void 0)return{
by:r,like:null};if(!r.length)return k(s,"invalid-parameter","like goes with by, whose values it is about.");let{text:c,fault:a}=rt(
t.like,"like",s);return a?k(s,"invalid-parameter",a):{by:r,like:c}}var Pt={text:rt,constraint:ut,count:Re,near:Ct};function V(t,e,n){return k(n,"not-found",`There is no page ${t}: the list has ${e} page${e===1?"":"s"}.`)}function Y(t,e,n,s){
let o=s.lists.find(({name:a})=>a===t),i=!s.unprepared.includes(_(o,s)[e])?`; ${s.prefix}${o.root}${v(s.files.values,{filter:e})}\
 lists its values`:"";return{...k(s,"not-found",`No ${s.kinds[t]} has the ${e} "${n}"${i}.`),about:[t,e,n]}}async function Q(t,e,n){
if(!t.about)return t;let[s,o,r]=t.about,i=n.lists.find(({name:c})=>c===s);if(n.unprepared.includes(_(i,n)[o]))return t;try{
let c=await e(i.root+v(n.files.values,{filter:o})),{data:a}=JSON.parse(new TextDecoder().decode(c)),l=K(Ie(r),a.values.map(
f=>[f.value,f.label]),n);return l.length?{...t,allowed:l}:t}catch{return t}}function Ie(t){try{return decodeURIComponent(
t.replace(/\+/g," ").replace(/%(?![0-9A-Fa-f]{2})/g,"%25"))}catch{return t}}function E(t,e){return{...e.unavailable,detail:t}}
function L(t,e){return E(`The search index is damaged: ${t}. Unless it is being published just now, build and publish it\
 again.`,e)}function ze(t,e,n,s){return zt(t,e,n,s,Pt)}function Wt(t,e){let n=new URL(e);return n.pathname=t,n.search="",n}async function qt(t,e,n,s){
let{pathname:o,search:r}=new URL(t.url),i=ze(t.method,o,r.slice(1),n),c=t.method==="HEAD";if(i.allow)return qe(i,n);if(i.
problem&&i.query&&s)return De(i.query,t,e,n,s);let a=m=>Lt(m,t,e);if(i.problem)return ht(await Q(i,a,n),n,c);let l=i.file.
startsWith(n.api),f=i.record||i.query&&(i.query.filters.program||i.query.filters.organization),u=f?"GET":t.method,h=i.file.
includes("//")?new Response(null,{status:404}):await e(i.file,{method:u,headers:t.headers,redirect:"manual"});if(!l&&h.status!==
404)return h;if(!l){let m=await e(n.missing,{method:t.method}),{body:w,headers:g}=m.ok?m:h;return new Response(c?null:w,
{status:404,headers:g})}if(h.status===404){let m=await Ce(i,a,n);return m?new Response(null,{status:308,headers:{...n.headers,
location:m}}):ht(await Q(await Pe(i,a,n),a,n),n,c)}let p=new Headers(h.headers);for(let[m,w]of Object.entries(n.headers))
p.set(m,w);(h.ok||h.status===304)&&p.set("content-location",n.prefix+i.file);let d=c||h.status===304?null:h.body;if(f&&h.
ok){let m=await h.text();if(Bt(m)){let{links:w,data:g}=JSON.parse(m),x=i.record?`${n.prefix}${i.record.root}/${g.replaced_by}`:
w.replaced_by;return new Response(null,{status:308,headers:{...n.headers,location:x}})}d=c?null:m}return new Response(d,
{status:h.status,headers:p})}async function De(t,e,n,s,o){let r=e.headers.get("if-none-match")??"",i=p=>(r.match(/"[^"]*"/g)??
[]).includes(p),c=e.method==="HEAD",a=(p,d)=>Lt(p,e,n,d),{body:l,etag:f,...u}=await o(t,a,s,i);if(!f)return ht(await Q(u,
a,s),s,c);let h={...s.headers,etag:f};return!l||r.trim()==="*"?new Response(null,{status:304,headers:h}):new Response(c?
null:l,{headers:{...h,"content-type":s.json}})}async function Lt(t,e,n,s){let o=new Headers(e.headers),r=["if-match","if\
-none-match","if-modified-since","if-unmodified-since","if-range"];for(let a of[...r,"range","accept-encoding"])o.delete(
a);let i=await n(t,{headers:o},s),c=await i.arrayBuffer();return i.ok?new Uint8Array(c):null}function Bt(t){return t.slice(
0,99).includes('"kind":"moved"')}async function Ce(t,e,n){let[s,o]=Object.entries(t.query&&t.query.filters||{})[0]||[],r=n.
lists.find(({name:a})=>n.kinds[a]===s),i=r&&await e(r.root+v(n.files.record,{slug:o})),c=i&&new TextDecoder().decode(i);
if(!(!c||!Bt(c)))return n.prefix+t.file.replace(`/${s}/${o}/`,`/${s}/${JSON.parse(c).data.replaced_by}/`)}async function Pe(t,e,n){
if(t.record)return k(n,"not-found",`There is no ${n.kinds[t.record.name]} "${t.slug}".`);if(!t.query)return k(n,"not-fou\
nd");let{collection:s,filters:o,page:r}=t.query,i=await e(t.file.replace(/[0-9]+(?=\.json$)/,"1")),c=i?We(i):0;if(c&&r>c)
return V(r,c,n);let a=Object.entries(o).filter(([l])=>!n.lists.some(f=>l in f.fixed));return!i&&a.length?Y(s,...a[0],n):
{...n.unavailable,detail:`The build is damaged: ${t.file} is missing. Build it again.`}}function We(t){try{return JSON.parse(
new TextDecoder().decode(t)).page.total_pages}catch{return 0}}function ht(t,e,n){let s={...e.headers,...t.headers,"conte\
nt-type":e.type},{status:o,title:r,detail:i}=t,c=t.problem?Rt(t,e):{type:"about:blank",title:r,status:o,detail:i};return new Response(
n?null:`${JSON.stringify(c)}
`,{status:o,headers:s})}function qe(t,e){let n={...e.headers,allow:t.allow.join(", ")};return t.status===204?new Response(
null,{status:204,headers:{...n,...e.preflight}}):new Response(`${e.not_allowed}
`,{status:t.status,headers:{...n,"content-type":e.type}})}var W=class extends Error{},$=class extends Error{},A=new TextEncoder,Le=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}),
Jt=`,"check":"00000000"}
`;function z(t){try{return Le.decode(t)}catch{throw new $}}function B(t,e,n){let s=new Uint32Array(n+2);for(let r=0;r<t.
length;r++)s[e(t[r])+1]++;for(let r=1;r<s.length;r++)s[r]+=s[r-1];let o=new Uint32Array(t.length);for(let r=0;r<t.length;r++)
o[s[e(t[r])]++]=t[r];return o}function J(t,e){if(t.length%e)throw new $;let n=t.slice();return new Uint32Array(new{1:Uint8Array,
2:Uint16Array,4:Uint32Array}[e](n.buffer))}function Ht(t){let e=t.indexOf(10)+1;return t.subarray(e,Math.max(e,t.lastIndexOf(
10,t.length-2)))}function Ft(t,e,n){let s=[];for(let o=0,r;o<=t.length;o=r+1){r=t.indexOf(10,o),r<0&&(r=t.length);let i=e&&
r<t.length;if(s.length===n||i&&t[r-1]!==44)throw new $;s.push(t.subarray(o,r-i))}if(s.length!==n)throw new $;return s}function Gt(t){
let e=t.length-Jt.length,n=T(t.subarray(0,e)).toString(16).padStart(8,"0");return e>0&&z(t.subarray(e))===Jt.replace("00\
000000",n)}var N=new Uint32Array(1024);for(let t=0;t<256;t++){let e=t;for(let n=0;n<8;n++)e=e&1?e>>>1^3988292384:e>>>1;N[t]=
e}for(let t=256;t<1024;t++)N[t]=N[t-256]>>>8^N[N[t-256]&255];function T(t){let[e,n]=[-1,0];for(let s=t.length-3;n<s;n+=4)
e^=t[n]|t[n+1]<<8|t[n+2]<<16|t[n+3]<<24,e=N[768+(e&255)]^N[512+(e>>>8&255)]^N[256+(e>>>16&255)]^N[e>>>24];for(;n<t.length;n++)
e=e>>>8^N[(e^t[n])&255];return~e>>>0}var[Be,Je]=[/^-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?$/,/^[1-9][0-9]{0,6}$/];function He(t){let e=0;for(let n=0;n<
t.length;n++)e+=t[n];return e}function Fe(t,e,n){let s=!0;for(let o=0;o<t.length;o++)s&&=t[o]>=e&&t[o]<=n;return s}var D=class{constructor(e,n){
Object.assign(this,{name:e,reader:n,records:n.manifest.count,...n.manifest.columns[e]})}files(e){let n=new Set(e&&Array.
from(e,o=>Math.floor(o/this.chunk))),s=Array.from({length:Math.ceil(this.records/this.chunk)},(o,r)=>[`columns/${this.name}`,
r]);return e?s.filter(([,o])=>n.has(o)):s}get listed(){return[`columns/${this.name}/values`,0]}parts(){return this.files().
flatMap(e=>{let n=this.reader.have(...e);if(!n)return[];let s=e[1]*this.chunk,o=Math.min(this.chunk,this.records-s),r=n.
subarray(0,o*this.counts),i=this.counts?J(r,this.counts):null,c=J(n.subarray(r.length),this.width);if(!(i?i.length===o&&
He(i)===c.length:c.length===o)||!Fe(c,i?1:0,this.values))throw new $;return[[s,c,i]]})}numbers(){let e=new Uint32Array(this.
records);if(this.counts)throw new $;for(let[n,s]of this.parts())e.set(s,n);return e}places(e,n){let s=this.numbers(),o=new Uint32Array(
this.values+1);for(let a=0;a<s.length;a++)o[s[a]]++;let r=0;for(let a=1;a<=this.values+1;a++){let l=a>this.values?0:n?this.
values+1-a:a;r+=o[l],o[l]=r-o[l]}let i=new Map,c=0;for(let a of Array.from(e).sort((l,f)=>l-f)){for(;c<a;c++)o[s[c]]++;i.
set(a,o[s[a]])}return i}tally(e){let n=new Uint32Array(this.values+1);for(let[s,o,r]of this.parts())if(r)for(let i=0,c=0;i<
r.length;i++){let a=c+r[i];if(e[s+i])for(;c<a;)n[o[c++]]++;c=a}else for(let i=0;i<o.length;i++)e[s+i]&&n[o[i]]++;return n[0]=
0,n}lines(){let e=z(this.reader.have(...this.listed)).split(`
`);if(e.pop()!==""||e.length!==this.values)throw new $;let n;return e.map(s=>{let o=s.split("	"),[r,i]=[this.key(o[0]),Number(
o[2])],c=this.type==="text"?/^[\0-\x7f]*$/:Be;if(!(o.length===3&&c.test(o[0])&&Je.test(o[2])&&i<=this.records)||r<=n)throw new $;
return n=r,[o[0],o[1],i]})}key(e){return this.type==="text"?e:Number(e)}between(e,n,s){let o=this.lines().map(([c])=>this.
key(c)),r=e===null?0:o.filter(c=>c<this.key(e)).length,i=n===null?o.length:o.filter(c=>c<=this.key(n)).length;for(let[c,
a,l]of this.parts())for(let f=0,u=c,h=l?l[0]:1;f<a.length;f++,h--){for(;!h;)h=l?l[++u-c]:(u++,1);a[f]>r&&a[f]<=i&&s(u)}}};function Kt(t,e,n){let s=t.replace(/^\*|^=(?=\/)/,"");if(s[0]==="/"){let i=s.slice(0,s.indexOf("/",1));return e.has(i)?s:
i}let o=[...s];if(s[0]==="="||o.length<n)return s;let r=n;for(;e.has(o.slice(0,r).join(""))&&r<o.length;)r+=1;return o.slice(
0,r).join("")}var tt=t=>`=${t}`;function U(t,{manifest:{split:e,shards:n},table:s},o=!1){return{shard:T(A.encode(Kt(t,e,
s.index.prefix)))&n-1,key:A.encode(t),more:o,bodies:[]}}function Zt(t,e){let[{split:n},{prefix:s}]=[e.manifest,e.table.index],
o=[...t].length<s;return!o&&n.has(Kt(t,n,s))?[U(t,e),U(`*${t}`,e)]:[U(t,e,!o)]}var X=class{constructor(e){Object.assign(
this,{data:e,at:0})}next(){let e=0;for(let n=1;n<=2**28;n*=128){let s=this.data[this.at++];if(e+=(s&127)*n,s<128)return e}
throw new $}};function Vt(t,e){let n=new X(t),[s,o]=[0,0];for(;n.at<t.length;){let r=n.next(),i=n.at;n.at+=r;let c=n.next()+
n.at,a=0;for(;a<r&&a<o&&t[s+a]===t[i+a];)a++;if(c>t.length||a===r||a<o&&t[s+a]>t[i+a])throw new $;for(let{key:l,more:f,bodies:u}of e){
if(r<l.length||!f&&r>l.length)continue;let h=0;for(;h<l.length&&t[i+h]===l[h];)h++;h===l.length&&u.push([t.subarray(n.at,
c),r===h])}s=i,o=r,n.at=c}}function dt(t,e,{table:n},s){let{levels:o}=n.index,r=new X(t),i=0;for(;r.at<t.length;){let c=t[r.
at]>>3,a=t[r.at++]&7,l=r.next(),f=r.at,u=l*(a||1)+f;if(c<i||c>=o||![0,1,2,4].includes(a)||!l||u>t.length)throw new $;if(a&&
l>e)throw new $;i=c+1,r.at=u;for(let h=0;a&&f<u;f+=a){if(h+=t[f],a>1&&(h+=t[f+1]<<8),a>2&&(h+=(t[f+2]<<16)+t[f+3]*2**24),
h>=e)throw new $;s(h,c)}for(let h=0;f<u;h+=8)for(let p=h,d=t[f++];d;p++,d>>=1)if(d&1){if(p>=e)throw new $;s(p,c)}}}var Ge=42;function wt(t){let{query:e,list:n,table:s}=t,o=e.q===null?[]:[...new Set(I(e.q,s))],r=_(n,s);return[...Object.
entries(e.filters).map(([c,a])=>{let l=n.fixed[c]?{how:"any",values:[a]}:ut(c,r[c],a,s),f=l.how==="range"||s.unprepared.
includes(r[c])?mt:pt;return new f(c,l,t)}),...yt(o,t)]}function yt(t,e){let n=new Uint8Array(e.manifest.count);return t.
map((s,o)=>new gt(s,o,t.length,n,e))}async function H(t,e,n,s){let o=[...t.flatMap(a=>a.seeks),...e],r=[...new Set(o.map(
({shard:a})=>a))],i=[...r.map(a=>["keys",a]),...t.flatMap(a=>a.files),...n];await s.fetch(i);for(let a of r)Vt(s.have("k\
eys",a),o.filter(l=>l.shard===a)),s.inTime();let c=new Uint16Array(s.manifest.count);for(let a of t){a.meet();let{marks:l}=a;
for(let f=0;f<c.length;f++)l[f]&&c[f]++;s.inTime()}return c}var et=class{constructor(e,{how:n,values:s,low:o,high:r},i){
let c=new Uint8Array(i.manifest.count);Object.assign(this,{name:e,how:n,values:s,low:o,high:r,reader:i,marks:c,seeks:[],
files:[]})}meet(){let{how:e,marks:n}=this,s=this.values??[null];s.forEach((r,i)=>{e==="all"?this.each(i,c=>n[c]+=n[c]===
i):this.each(i,c=>n[c]=1)});let o=e==="all"?s.length:1;for(let r=0;r<n.length;r++)n[r]=n[r]>=o==(e!=="not")}},pt=class extends et{constructor(e,n,s){
super(e,n,s),this.keys=this.values.map(o=>v(s.table.index.key,{filter:e,value:o})),this.seeks=[...this.keys,...this.keys.
map(tt)].map(o=>U(o,s))}each(e,n){let{name:s,values:o,reader:r,marks:i}=this,[c]=this.seeks[e].bodies;if(!c)throw Y(r.query.
collection,s,o[e],r.table);dt(c[0],i.length,r,(a,l)=>l||n(a))}lists(){let{name:e,how:n,values:s,reader:o,keys:r}=this;return n===
"not"?[]:s.map((i,c)=>{let a=s.length>1?new Uint8Array(this.marks.length):this.marks;s.length>1&&this.each(c,h=>a[h]=1);
let{fixed:l,root:f}=o.list;return{path:l[e]?l[e].file:f+v(o.table.files.by,{filter:e,value:i,page:":page"}),pages:this.seeks[r.
length+c],marks:a}})}},mt=class extends et{constructor(e,n,s){super(e,n,s),this.column=new D(e,s),this.files=[this.column.
listed,...this.column.files()]}each(e,n){let{low:s,high:o,values:r,column:i}=this;r?i.between(r[e],r[e],n):i.between(s,o,
n)}},gt=class{constructor(e,n,s,o,r){let{count:i,language:c}=r.manifest;Object.assign(this,{place:n,words:s,named:o,reader:r,
marks:new Uint8Array(i),files:[]});let a=/^en(-|$)/.test(c)?jt(e):[];this.own=Zt(e,r),this.seeks=[...this.own,...a.map(l=>U(
l,r))]}meet(){let{marks:e,named:n,place:s,words:o,reader:r,own:i}=this,{index:c}=r.table;for(let a of this.seeks)for(let[
l,f]of a.bodies){let u=f&&a.key[0]!==Ge,h=u?c.whole:c.begun,p=u&&i.includes(a)?c.named+o-1:-1;dt(l,e.length,r,(d,m)=>{e[d]<
h[m]?e[d]=h[m]:m===p&&n[d]===s&&n[d]++})}}};function q({collection:t,mode:e,q:n,filters:s,sort:o,by:r,like:i},c,a){let l=[`mode=${e}`];n!==null&&l.push(`q=${Yt(n)}`);
for(let[f,u]of Object.entries(s))l.push(`${f}=${u}`);return r&&r.length&&l.push(`by=${r}`),typeof i=="string"&&l.push(`l\
ike=${Yt(i)}`),o&&l.push(`sort=${o}`),c>1&&l.push(`page=${c}`),`${a.prefix}${a.lists.find(({name:f})=>f===t).root}?${l.join(
"&")}`}function Qt(t,e,n,s,o,r,i){let c=i.lists.find(({name:g})=>g===t.collection),{page:a,order:l,q:f,filters:u}=t,h=g=>q(
t,g,i),p={schema_version:i.schema_version,kind:`${i.kinds[c.name]}_list`,...r.as_of===null?{}:{as_of:r.as_of},query:{mode:"\
page",page:a,sort:l,q:f,filters:u},page:{number:a,size:r.size,count:e.length,total_items:n,total_pages:s},links:{self:h(
a),first:h(1),prev:a>1?h(a-1):null,next:a<s?h(a+1):null,last:h(s),filters:i.prefix+c.root+i.files.filters}};f!==null&&(p.
suggestions=o);let d=JSON.stringify(p).slice(0,-1),m=e.flatMap((g,x)=>[A.encode(x?`,
`:`${d},"data":[
`),g]);m.push(A.encode(e.length?`
]}
`:`${d},"data":[]}
`));let w=new Uint8Array(m.reduce((g,x)=>g+x.length,0));return m.reduce((g,x)=>(w.set(x,g),g+x.length),0),w}function Yt(t){
return encodeURIComponent(t).replace(/[!\x27()*]/g,e=>`%${e.charCodeAt(0).toString(16).toUpperCase()}`)}function Xt(t,e,n,{list:s,table:o,manifest:{as_of:r}}){let{q:i,filters:c,by:a,like:l}=t,f={collection:s.name,mode:"page",
q:i,filters:c,sort:"",order:s.sorts[0],page:1},{file:u}=ft(f,s,o,_(s,o)),h=o.index.most.values,p=n.map(([m,w])=>{let g=w.
slice(0,h).map(([b,y,M])=>({value:b,label:y,count:M})),[x,O]=[w.length,w.length>h];return[m,{label:o.index.labels[s.name][m],
total_values:x,truncated:O,values:g}]}),d={schema_version:o.schema_version,kind:`${o.kinds[s.name]}_count`,...r===null?{}:
{as_of:r},query:{mode:t.mode,q:i,filters:c,by:a,like:l},total_items:e,links:{self:q(t,1,o),list:u?o.prefix+u:q(f,1,o)},counts:Object.
fromEntries(p)};return A.encode(`${JSON.stringify(d)}
`)}var C=(t,e,n)=>Number.isInteger(t)&&t>=e&&t<=n,xt=(t,e)=>typeof t=="string"&&e.test(t);function ee(t,e,n){let{most:s,format:o}=n.
index,{unicode:r}=n.folding,i;try{if(i=t.length<=s.manifest?JSON.parse(z(t)):null,i.kind!=="search_index"||!C(i.format,0,
2**30))throw new $;if(i.format!==o)throw E(`The search index has the format ${i.format}; this program reads ${o}.`,n);if(!Gt(
t)||i.collection!==e.name)throw new $;if(!xt(i.unicode,/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/))throw new $;if(i.unicode!==r){
let c=`was made by Unicode ${i.unicode}; this program folds words by ${r}`;throw E(`The search index ${c}. They go toget\
her in one version of the generator.`,n)}return Ke(i,e,n.index)}catch(c){throw c.status?c:L("its manifest is not one tha\
t a build writes",n)}}function Ke(t,{name:e},{most:n,rows:{small:s,large:o,many:r,few:i},columns:c}){let a=c[e],{count:l,
size:f,as_of:u,language:h,shards:p,split:d,rows:m,row_bytes:w,columns:g,files:x}=t,O=o;for(;O*r<l;)O*=2;let b=Math.ceil(
l/(i*O))*O,y=b>O?[s,O,b]:[s,O],M=te(x.spell),j={keys:p,spell:M};for(let S of y.slice(1))j[`rows/${S}`]=Math.ceil(l/S);for(let S of a){
let{type:st,values:ot,width:we,counts:At,chunk:St}=g[S];if(!(["text","number"].includes(st)&&C(ot,0,At?2**30:l)&&we===(ot<
2**8?1:ot<2**16?2:4)&&[0,1,2,4].includes(At)&&C(St,1,2**30)))throw new $;j[`columns/${S}`]=Math.ceil(l/St),j[`columns/${S}\
/values`]=1}if(!(C(l,0,n.records)&&C(f,1,n.size)&&C(p,1,n.records)&&!(p&p-1)&&M>0&&!(M&M-1)&&C(w,0,2**30)&&JSON.stringify(
m)===JSON.stringify(y)&&Object.keys(g).length===a.length&&Object.keys(x).length===Object.keys(j).length&&Object.entries(
j).every(([S,st])=>te(x[S])===st)&&xt(h,/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/)&&(u===null||xt(u,/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/))&&
Array.isArray(d)&&d.every(S=>typeof S=="string")))throw new $;return{...t,split:new Set(d),spelled:M}}function te(t){let e=/^[A-Za-z0-9+/]*(={0,2})$/.
exec(t)[1].length;return t.length%4?-1:(t.length/4*3-e)/4}function $t({files:t,rows:[e,n]},s,o){if(s===`rows/${e}`)return $t(
{files:t,rows:[]},`rows/${n}`,Math.floor(o*e/n));let r=atob(t[s].substr(Math.floor(o/3)*16,16));return[3,2,1,0].reduce((i,c)=>i*
256+r.charCodeAt(o%3*4+c),0)}var Ze=16*2**20,[F,kt]=[new Map,new Map],Ot=0;function Ve(t,e){F.delete(t)||(Ot+=e.length),F.set(t,e);for(let[n,{length:s}]of F){
if(Ot<=Ze)break;F.delete(n),Ot-=s}return e}var ne=t=>t.toString(16).padStart(8,"0");function Ye(t){let e=t.subarray(0,-9);
return A.encode(`${ne(T(e))}
`).every((s,o)=>s===t[e.length+o])?e:null}var nt=class{constructor(e,n,s,o){let{most:r}=s.index,i=Date.now()+r.seconds*1e3,
c=s.lists.find(({name:a})=>a===e.collection);Object.assign(this,{query:e,read:n,table:s,again:o,most:r,until:i,list:c}),
this.begin(o?null:kt.get(c.name))}begin(e){Object.assign(this,{manifest:e,reads:1,bytes:0,held:new Map})}async one(e,n=this.
again){try{return await this.read(e,n)}catch{throw E("The search index cannot be read.",this.table)}}async current(){let{
name:e}=this.list,n=await this.one(v(this.table.index.manifest,{collection:e}));if(!n)throw E(`There is no search index \
of ${e} here.`,this.table);let s=T(n),o=kt.get(e);return(!o||o.check!==s||o.bytes!==n.length)&&(o={...ee(n,this.list,this.
table),check:s,bytes:n.length},kt.set(e,o)),o}async fetch(e,n=[],s=0){let{manifest:o,held:r}=this,i=new Map;for(let[a,l]of e){
let f=$t(o,a,l),u=v(this.table.index.file,{collection:this.list.name,what:a,number:`${l}-${ne(f)}`});i.set(`${a},${l}`,[
u,f,a===`rows/${o.rows[0]}`])}for(let[a,l]of n)i.set(a,[a,l]);this.bound(i.size,s);let c=async([a,[l,f,u]])=>{let h=a===
l,p=F.get(`${l} ${f}`),d=g=>{let x=g&&(h?Ht(g):u?Ye(g):g);return x&&(p||u||T(x)===f)?x:null},m=p??await this.one(l),w=d(
m);if(h&&!w&&!this.again&&this.reads<this.most.reads&&(this.reads++,m=await this.one(l,!0),w=d(m)),w)r.set(a,w),Ve(`${l}\
 ${f}`,m),this.bytes+=m.length;else if(!h)throw new W(`${l} is ${m?"not the file that the manifest means":"missing"}`)};
await Promise.all([...i].map(c)),this.bound(0,0),this.inTime()}have(e,n){return this.held.get(`${e},${n}`)}page(e){return this.
held.get(e)}inTime(){if(Date.now()>this.until)throw E(`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(e,n){
this.reads+=e;let s={reads:this.reads,bytes:this.bytes+n};for(let o in s){if(s[o]<=this.most[o])continue;let r=`This que\
ry needs ${s[o]} ${o}, and at most ${this.most[o]} are allowed.`;throw k(this.table,"invalid-parameter",`${r} Ask with f\
ewer or longer words, or fewer filters.`)}}};var[Qe,Xe]=[4096,2**40];async function oe(t,e,n){let s=Array.from(t),{count:o,rows:r}=n.manifest,i=r.map(u=>({size:u,count:o,
what:`rows/${u}`,places:new Map(s.map(h=>[h,h]))})),c=[...i,...e.flatMap(u=>tn(u,s,n))],a=await se(s,c,n),l=s.filter(u=>!a.
has(u)),f=l.length?await se(l,i,n):a;return s.map(u=>a.get(u)??f.get(u))}function tn({path:t,pages:e,marks:n,places:s},o,{
manifest:{size:r,count:i}}){let[c]=e.bodies,a=s??en(n,o);if(!c||!a.size)return[];let l=J(c[0],4),f=n?0:i;if(n)for(let u=0;u<
i;u++)f+=n[u];if(l.length!==Math.max(1,Math.ceil(f/r)))throw new $;return[{size:r,count:f,path:t,checks:l,places:a}]}function en(t,e){
let n=new Map,[s,o]=[0,0];for(let r of e.filter(i=>t[i]).sort((i,c)=>i-c)){for(;o<r;o++)s+=t[o];n.set(r,s)}return n}async function se(t,e,n){
let{row_bytes:s}=n.manifest,o=nn(t,e,s,n.most.reads-n.reads),r=[...new Set(o)],i=r.filter(({source:u})=>u.what).map(({source:u,
n:h})=>[u.what,h]),c=({source:u,n:h})=>v(u.path,{page:h+1}),a=r.filter(({source:u})=>u.path).map(u=>[c(u),u.source.checks[u.
n]]);await n.fetch(i,a,r.reduce((u,{source:h})=>u+h.size*s,0));let l=new Map;for(let u of r){let{source:h,n:p}=u,d=h.what?
n.have(h.what,p):n.page(c(u));if(!d)continue;let m=h.what&&d[d.length-1]===10?d.subarray(0,-1):d;l.set(u,Ft(m,!h.what,Math.
min(h.size,h.count-p*h.size)))}let f=new Map;return t.forEach((u,h)=>{let{source:p}=o[h],d=l.get(o[h]);d&&f.set(u,d[p.places.
get(u)%p.size])}),f}function nn(t,e,n,s){for(let o=Qe;;o*=2){let r=sn(t,e,n,o);if(new Set(r).size<=s||o>=Xe)return r}}function sn(t,e,n,s){
let o=e.flatMap(i=>{let c=new Map;return t.forEach((a,l)=>{if(!i.places.has(a))return;let f=Math.floor(i.places.get(a)/i.
size);c.has(f)||c.set(f,{source:i,n:f,rows:new Set}),c.get(f).rows.add(l)}),[...c.values()].sort((a,l)=>a.n-l.n)}),r=[];
for(let i=t.length;i;){let c=o[0],a=({source:f,rows:u})=>(s+f.size*n)/u.size;for(let f of o)a(f)<a(c)&&(c=f);let l=[...c.
rows];i-=l.length;for(let f of l)r[f]=c;for(let f of o)for(let u of l)f.rows.delete(u)}return r}var on=2**25;function rn(t,e){let n=Math.floor(e*256/Math.max(1,t)),s=32-Math.clz32(n);return(s-9)*8+(n>>>s-4&7)+1}function re(t,e,n,s){
let o=new Uint32Array(s);for(let{marks:c}of e){let a=0;for(let f=0;f<s;f++)c[f]&&a++;let l=rn(a,s);for(let f=0;f<t.length;f++)
o[t[f]]+=l*c[t[f]]}for(let c=0;c<t.length;c++)n[t[c]]===e.length&&(o[t[c]]+=on);let r=8191,i=B(t,c=>r-(o[c]&r),r);return B(
i,c=>r-(o[c]>>>13),r)}var[cn,ie,vt]=[4,8,2],[an,ln,ce]=[12,20,2];function ae(t,e){let n=[...t];return[`^${n.slice(0,2).join("")}`,`${n.slice(-2).
join("")}$`].map(o=>T(A.encode(o))&e-1)}function le(t){let e=new Map;for(let n of t)for(let s of z(n).split(`
`).slice(0,-1)){let o=s.indexOf("	");if(o>=0&&!/^\t([1-9]\d?)?$/.test(s.slice(o)))throw new $;e.set(o<0?s:s.slice(0,o),o<
0?1:Number(s.slice(o+1)||1))}return e}function fe(t,e,n){if(n.length>ce)return[];let s=(n.length?n:[...t.keys()]).map(r=>hn(
t,r,e)),o=new Map;for(let r of n.length?un(s):s.flat().map(i=>[i])){let[i,c,a,l]=[0,0,0,1/0],f=[],u=r.filter((h,p)=>!p||
!fn(h,r[0])).sort((h,p)=>h.start-p.start);for(let h of u)h.start<i&&(c=1/0),f.push(...t.slice(i,h.start),...h.words),i=h.
end,c+=h.end-h.start,a+=h.distance,l=Math.min(l,...h.words.map(p=>e.get(p)));c<=ce&&o.set([...f,...t.slice(i)].join(" "),
[a,-l])}return ue(o,ln).map(([r])=>r)}var fn=(t,e)=>t.start===e.start&&t.end===e.end&&String(t.words)===String(e.words),
un=([t,...e])=>e.length?t.flatMap(n=>e[0].map(s=>[n,s])):t.map(n=>[n]);function ue(t,e){let n=o=>Array.from(o,r=>r.codePointAt(
0).toString(16).padStart(6,"0")).join(""),s=([o,[r,i]],[c,[a,l]])=>r-a||i-l||(n(o)<n(c)?-1:1);return[...t].sort(s).slice(
0,e)}function hn(t,e,n){let s=(i,c,a,l)=>({start:i,end:c,distance:a,words:l}),o=dn(t[e],n,t.length===1).map(([i,[c]])=>s(
e,e+1,c,[i])),r=pn(t[e],n);r.length&&o.push(s(e,e+1,0,r));for(let i of[e-1,e]){let c=t.slice(Math.max(i,0),i+2).join("");
i>=0&&i<t.length-1&&n.has(c)&&o.push(s(i,i+2,0,[c]))}return o}function dn(t,e,n){let s=[...t],o=new Map,r=(i,c,a)=>{let[
l,f]=[s.slice(0,c).join(""),s.slice(-c).join("")];for(let[u,h]of e){if(!(u.startsWith(l)||u.endsWith(f))||u===t||o.has(u))
continue;let p=[...u];Math.max(s.length,p.length)<a||he(s,p,i)&&o.set(u,[i,-h])}};return r(1,Math.max(1,s.length-1>>1),n?
cn:vt),s.length+2>=ie&&r(2,2,ie),ue(o,an)}function he(t,e,n){if(Math.abs(t.length-e.length)>n)return!1;let s=0;for(;s<t.
length&&s<e.length&&t[s]===e[s];)s++;let[o,r]=[t.slice(s),e.slice(s)];if(!n||!o.length||!r.length)return Math.max(o.length,
r.length)<=n;let i=(c,a)=>he(o.slice(c),r.slice(a),n-1);return i(1,1)||i(1,0)||i(0,1)||o.length>1&&o[0]===r[1]&&o[1]===r[0]&&
i(2,2)}function pn(t,e){let n=[...t],s=[[]];for(let o=vt;o<=n.length;o++)for(let r=0;r<=o-vt;r++){let i=n.slice(r,o).join(
"");!s[r]||i===t||!e.has(i)||(!s[o]||s[r].length+1<s[o].length)&&(s[o]=[...s[r],i])}return s[n.length]??[]}var[mn,gn]=[5,12];async function pe(t,e){try{return await wn(t,e)}catch(n){if(n.status===400)return[];throw n}}async function wn(t,e){
let{query:n,table:s,manifest:o}=e,r=y=>P(y,s),i=y=>I(y,s),c=t.filter(({named:y})=>!y),a=de(i(n.q),t.filter(({named:y})=>y)),
l=r(n.q),f=[...l.keys()].filter(y=>!i(l[y]).every(M=>a.get(M).some(Boolean))),u=[...new Set(l.flatMap(y=>ae(y,o.spelled)))];
await e.fetch(u.map(y=>["spell",y]));let h=le(u.sort((y,M)=>y-M).map(y=>e.have("spell",y))),p=s.text,d=y=>[...y].length<=
p.characters&&r(y).length<=p.words,m=fe(l,h,f).filter(d).slice(0,gn),w=y=>r(y).length===1&&!c.length,g=i(m.filter(y=>!w(
y)).join(" ")),x=yt([...new Set(g)],e);x.length&&await H(x,[],[],e);let O=de(g,x),b=y=>{let M=[...c.map(({marks:j})=>j),
...i(y).map(j=>O.get(j))];return M[0].some((j,Mt)=>M.every(S=>S[Mt]))};return m.filter(y=>w(y)||b(y)).slice(0,mn)}var de=(t,e)=>new Map(
[...new Set(t)].map((n,s)=>[n,e[s].marks]));var yn=2;async function ge(t,e,n,s=()=>!1){let o;for(let r=1;r<=2;r++){let i=new nt(t,e,n,r>1);try{return await xn(i,s)}catch(c){
if(c.status)return c;if(c instanceof $)return L("a file of it is not one that a build writes",n);if(!(c instanceof W))throw c;
if(i.manifest===o)return L(c.message,n);o=i.manifest}}return E("The registry is being replaced; ask again in a moment.",
n)}async function xn(t,e){let n=t.manifest&&$n(me(t,e)),[s,o]=await Promise.all([t.current(),n]);return s===t.manifest?o():
(t.begin(s),me(t,e))}var $n=t=>t.then(e=>()=>e,e=>()=>{throw e});async function me(t,e){let{query:n,table:s,manifest:o}=t,
r=kn(n,o,s);return e(r)?{etag:r}:{body:await(n.mode==="count"?vn(t):On(t)),etag:r}}function kn(t,{check:e,bytes:n},s){let o=T(
A.encode(`${s.made} ${q(t,t.page??1,s)}`));return`"${[e,n,o].map(r=>r.toString(16)).join("-")}"`}async function On(t){let{
query:e,table:n,manifest:s,list:o}=t,{size:r}=s,i=wt(t),c=e.order==="relevance"||e.order===o.sorts[0]?null:new bt(e.order,
t),a=await H(i,c?c.seeks:[],c?c.early:[],t),l=new Uint32Array(s.count),f=0;for(let b=0;b<a.length;b++)a[b]===i.length&&(l[f++]=
b);let u=l.subarray(0,f),h=i.filter(({named:b})=>b),p=()=>re(u,h,h[0].named,s.count),d=e.order==="relevance"?p():c?await c.
ordered(u):u,m=Math.max(1,Math.ceil(f/r));if(e.page>m)throw V(e.page,m,n);let w=d.subarray((e.page-1)*r,e.page*r),g=i.flatMap(
b=>b.lists?.()??[]),x=await oe(w,c?[...g,...c.lists(w)]:g,t),O=h.length&&!f?await pe(i,t):[];return Qt(e,x,f,m,O,s,n)}var bt=class{constructor(e,n){
let{list:s,table:o}=n;Object.assign(this,{reader:n,down:e[0]==="-",column:new D(e.replace("-",""),n)});let r=this.column.
files();this.early=r.length<=yn?r:[],this.seeks=s.sorts.includes(e)?[U(tt(e),n)]:[],this.path=s.root+v(o.files.sorted,{sort:e,
page:":page"})}async ordered(e){let{column:n,down:s,early:o,reader:r}=this;o.length||await r.fetch(n.files(e));let[i,c]=[
n.numbers(),n.values];return B(e,a=>i[a]?s?c-i[a]:i[a]-1:c,c)}lists(e){let{column:n,down:s,early:o,seeks:r,path:i}=this;
return!o.length||!r.length?[]:[{path:i,pages:r[0],places:n.places(e,s)}]}};async function vn(t){let{query:e,table:n,manifest:s}=t,
o=wt(t),r=e.by.map(u=>new D(u,t)),i=r.map(({name:u})=>o.filter(h=>h.name!==u)),c=r.flatMap((u,h)=>[u.listed,...i[h].length?
u.files():[]]),a=await H(o,[],c,t),l=0;for(let u=0;u<a.length;u++)a[u]===o.length&&l++;let f=r.map((u,h)=>{let p=u.lines();
if(i[h].length){let d=o.find(g=>g.name===u.name),m=new Uint8Array(a.length);for(let g=0;g<a.length;g++)m[g]=a[g]-(d?d.marks[g]:
0)===i[h].length;let w=u.tally(m);p.forEach((g,x)=>g[2]=w[x+1]),p=p.filter(g=>g[2])}return e.like!==null&&(p=p.filter(d=>bn(
e.like,d.slice(0,2),n))),p.sort((d,m)=>m[2]-d[2]||(d[0]<m[0]?-1:1)),t.inTime(),[u.name,p]});return Xt(e,l,f,t)}function bn(t,e,n){
let s=e.flatMap(o=>I(o,n));return I(t,n).every(o=>s.some(r=>r.startsWith(o)))}Object.assign(edge,{beside:Wt,respond:qt,search:ge});})();
