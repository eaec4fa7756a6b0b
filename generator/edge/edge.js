(()=>{var _;function Yt(e){let t=(f,u)=>f?f.split(u).map(l=>parseInt(l,36)):[],n=f=>Uint32Array.from(t(f," "),(u=>l=>u+=l)(0)),
s=new Map,o=0;for(let f of e.folds.split(";")){let[,u,l,h,d,p]=/^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(f),g=t(p,"+");o+=parseInt(
u,36);for(let m=0,w=o;m<parseInt(l||"1",36);m++,w+=h?2:1)s.set(w,String.fromCodePoint(...d==="="?g:[w+g[0]]))}let{composed:r,
letters:i,signs:c,paired:a}=e;return{folds:s,composed:n(r),letters:n(i),signs:n(c),paired:n(a)}}function q(e,t){let[n,s]=[
0,e.length];for(;n<s;){let o=n+s>>1;e[o]<=t?n=o+1:s=o}return n%2===1}function Xt(e,t){if(!/[^\0-\x7f]/.test(e))return e.
toLowerCase();_??=Yt(t.folding);let n=s=>_.folds.get(s.codePointAt(0))??s;return Array.from(e,s=>{let o=s.codePointAt(0);
return o<128?s.toLowerCase():_.folds.has(o)||!q(_.composed,o)?n(s):Array.from(s.normalize("NFKD"),n).join("")}).join("")}
function yt(e,t){let n=o=>{let r=o.codePointAt(0);return r===39||r===8217?"'":(r<128?/[a-z0-9]/.test(o):q(_.letters,r))?
o:" "};return Array.from(Xt(e,t),n).join("").replace(/''+/g," ").replace(/'/g,"").split(" ").flatMap(Qt)}function Qt(e){
let t=[],n;for(let s of e){let o=s.codePointAt(0);if(!t.length&&o>127&&q(_.signs,o))continue;let r=xt(o);r===n?t.push(t.
pop()+s):t.push(s),n=r}return t}var xt=e=>e>127&&q(_.paired,e);function R(e,t){return yt(e,t).flatMap(n=>{let s=Array.from(
n);return s.length<3||!xt(s[0].codePointAt(0))?[n]:s.slice(1).map((o,r)=>s[r]+o)})}function $t(e){if([...e].length<4||!/[^s]s$/.
test(e))return[];let t=[e.slice(0,-1)];return e.endsWith("es")&&t.push(e.slice(0,-2)),e.endsWith("ies")&&t.push(`${e.slice(
0,-3)}y`),t}function X(e,t,n){let{characters:s,words:o}=n.text,r=/%(?![0-9A-Fa-f]{2})/g,i;try{i=decodeURIComponent(e.replace(
/\+/g," ").replace(r,"%25"))}catch{i="�"}if(i.includes("�"))return{fault:`${t} is not percent-encoded UTF-8.`};if(e.
search(r)>=0||[...i].length>s)return{fault:`${t} is percent-encoded text of at most ${s} characters.`};let c=yt(i,n).length;
return c>=1&&c<=o?{text:i}:{fault:`${t} has 1 to ${o} words of letters and digits.`}}var J={page:["by","like"],count:["sort","page"]};function x(e,t,n,s){let o=e.problems[t];return{status:o[0],problem:t,detail:n||
o[2],allowed:s||null}}function vt(e,t){return{type:t.problem.type.replace(":code",e.problem),title:t.problems[e.problem][1],
status:e.status,detail:e.detail,code:e.problem,allowed:e.allowed,help:t.problem.help}}function Q(e){return e.length>80?`${e.
slice(0,80)}…`:e}function tt(e,t){return new RegExp(`^(?:${e})$`).test(t)}function et(e,t,n){return t.length<=n.longest.
value&&tt(n.patterns[e],t)}function bt(e){return!/[,:]|\.\.|%2c|%3a/i.test(e)}function C(e,t){let n={mode:"",q:""};e.tagged&&
t.tags.forEach(s=>{n[s]="slug"});for(let s in e.filters)n[s]=e.filters[s];return J.page.concat(J.count).forEach(s=>{n[s]=
""}),n}function $(e,t){return e.replace(/:([a-z]+)/g,(n,s)=>t[s])}function te(e){return e.replace(/%([0-9A-Fa-f]{2})/g,(t,n)=>{
let s=String.fromCharCode(parseInt(n,16));return/[A-Za-z0-9._~-]/.test(s)?s:t})}function kt(e,t){return t.prefix&&e.indexOf(
`${t.prefix}/`)===0?e.slice(t.prefix.length):e}function At(e,t,n,s,o){if(s.methods.indexOf(e)<0)return{status:405,allow:s.
methods};if(e==="OPTIONS")return{status:204,allow:s.methods};let r=te(t),i=kt(r,s);for(let f=0;f<s.lists.length;f++){let u=s.
lists[f];if(i===u.root)return ee(n,u,s,o);let l=i.indexOf(`${u.root}/`)===0?i.slice(u.root.length+1):"";if(l.length<=s.longest.
slug&&tt(s.patterns.slug,l))return n?Ot(i,s):{status:200,file:u.root+$(s.files.record,{slug:l}),record:u,slug:l}}if(Object.
prototype.hasOwnProperty.call(s.documents,i))return n?Ot(i,s):{status:200,file:s.documents[i]};let c=i.indexOf("%")>=0;return(c?
kt(r.replace(/%2f/gi,"/"),s).toLowerCase():i).indexOf(s.api)===0&&(c||!/[^/]\.[a-z0-9]+$/.test(i))?x(s,"not-found"):{status:200,
file:i}}function Ot(e,t){return x(t,"unknown-parameter",`${t.prefix}${e} takes no parameters.`)}function ee(e,t,n,s){if(!e)
return t.bare?{status:200,file:t.bare}:x(n,"mode-required",`Ask for a page: ${n.prefix}${t.root}?mode=page`);let o=e.split(
"&").map(d=>{let p=d.indexOf("=");return p<0?[d,""]:[d.slice(0,p),d.slice(p+1)]}),r=C(t,n),i=Object.keys(r);for(let d=0;d<
o.length;d++){if(!o[d][0])return x(n,"invalid-parameter","The query has an empty parameter.",i);if(!o[d][1])return x(n,"\
invalid-parameter",`The parameter "${Q(o[d][0])}" has no value.`,i)}for(let d=0;d<o.length;d++)if(i.indexOf(o[d][0])<0)return x(
n,"unknown-parameter",`There is no parameter "${Q(o[d][0])}" here.`,i);let c={};for(let d=0;d<o.length;d++){if(c[o[d][0]]!==
void 0)return x(n,"repeated-parameter",`The parameter "${o[d][0]}" is given more than once.`);c[o[d][0]]=o[d][1]}let a=Object.
keys(J);if(a.indexOf(c.mode)<0)return x(n,"mode-required","Only mode=page and mode=count are answered.",a);let f=J[c.mode].
filter(d=>c[d]!==void 0)[0];if(f)return x(n,"invalid-parameter",`${f} does not go with mode=${c.mode}.`);let u=c.q===void 0?
{text:null}:s?s.text(c.q,"q",n):{text:c.q};if(u.fault)return x(n,"invalid-parameter",u.fault);let l={collection:t.name,mode:c.
mode,filters:{},q:u.text},h=c.mode==="page"?ne(c,t,n):s?s.count(c,r,n):{};if(h.status)return h;for(let d in h)l[d]=h[d];
return se(l,c,t,n,r,s)||nt(l,t,n,r)}function ne(e,t,n){let s=(e.q===void 0?[]:["relevance"]).concat(t.sorts,t.others),o=e.
sort||s[0];if(s.indexOf(o)<0)return x(n,"invalid-parameter",`There is no sort "${Q(o)}" here.`,s);let r=e.page||"1";return tt(
n.patterns.page,r)?{sort:e.sort||"",order:o,page:Number(r)}:x(n,"invalid-parameter","A page is a whole number from 1.")}
function se(e,t,n,s,o,r){let i=Object.keys(o).filter(a=>t[a]!==void 0),c=i.filter(a=>n.fixed[a]&&t[a]!==n.fixed[a].value)[0];
if(c)return x(s,"invalid-parameter",`${c} can only be ${n.fixed[c].value}.`,[n.fixed[c].value]);for(let a=0;a<i.length;a++){
let f=i[a],u=o[f],l=t[f];if(n.fixed[f])e.filters[f]=l;else if(u){let d=!r&&(!bt(l)||et(u,l,s))?{text:l}:r?r.constraint(f,
u,l,s):{};if(!d.text){let p=d.fault||`"${f}" has a value that no ${f} can have.`;return x(s,"invalid-parameter",p)}e.filters[f]=
d.text}}}function nt(e,t,n,s){let o=Object.keys(e.filters),r=o[0],i=s[r],c=!r||!i||n.unprepared.indexOf(i)<0&&bt(e.filters[r]),
a=r?e.order===t.sorts[0]:t.sorts.indexOf(e.order)>=0;if(e.mode==="count"||e.q!==null||o.length>1||!c||!a){let l=x(n,"uns\
upported-combination");return l.query=e,l}let f={filter:r,value:e.filters[r],sort:e.order,page:e.page};if(t.fixed[r])return{
status:200,file:$(t.fixed[r].file,f),query:e};let u=r?"by":e.order===t.sorts[0]?"plain":"sorted";return{status:200,file:t.
root+$(n.files[u],f),query:e}}function Mt(e){return e.replace(/%(?:2[BbCc]|3[Aa])/g,t=>String.fromCharCode(parseInt(t.slice(1),16)))}function oe(e){let t=/^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.
exec(e),n=t[2]+(t[3]?`.${t[3]}`:"");return n==="0"?"0":t[1]+n+(t[5]?`e${t[4]==="-"?"-":""}${t[5]}`:"")}function st(e,t,n,s){
let o=Mt(n),r=s.asked.values,i=m=>({fault:`"${e}" ${m}.`}),c=m=>!et(t,m,s),a=m=>t==="number"?oe(m):m,f=`has a value that\
 no ${e} can have`,u=o.indexOf("..");if(u>=0&&s.asked.ranged.includes(t)){let m=[o.slice(0,u),o.slice(u+2)];if(!m[0]&&!m[1])
return i("has a range with neither end");if(m.some(A=>A&&c(A)))return i(f);let w=m[0]?a(m[0]):null,O=m[1]?a(m[1]):null,k=t===
"number"?Number(w)>Number(O):w>O;return w!==null&&O!==null&&k?i("has a range that ends before it begins"):{how:"range",low:w,
high:O,text:`${w??""}..${O??""}`}}let l=/^(?:all|not):/.test(o)?o.slice(0,3):"any",h=(l==="any"?o:o.slice(4)).split(",");
if(h.some(c))return i(f);let d=h.map(a).sort(),p=d.filter((m,w)=>m!==d[w-1]);if(p.length>r)return i(`takes at most ${r} \
different values`);let g=p.join(",");return l==="not"||l==="all"&&p.length>1?{how:l,values:p,text:`${l}:${g}`}:{how:"any",
values:p,text:g}}function re(e,t,n){let s=Object.keys(t).filter(c=>t[c]),o=e.by===void 0?[]:Mt(e.by).split(",");if(o.length>
n.asked.by||o.some((c,a)=>!s.includes(c)||o.indexOf(c)<a))return x(n,"invalid-parameter",`by names at most ${n.asked.by}\
 different filters.`,s);if(e.like===void 0)return{by:o,like:null};if(!o.length)return x(n,"invalid-parameter","like goes\
 with by, whose values it is about.");let{text:r,fault:i}=X(e.like,"like",n);return i?x(n,"invalid-parameter",i):{by:o,like:r}}
var Tt={text:X,constraint:st,count:re};function H(e,t,n){return x(n,"not-found",`There is no page ${e}: the list has ${t} page${t===1?"":"s"}.`)}function W(e,t,n,s){
let{root:o}=s.lists.find(({name:i})=>i===e),r=s.prefix+o+$(s.files.values,{filter:t});return x(s,"not-found",`No ${s.kinds[e]}\
 has the ${t} "${n}"; ${r} lists its values.`)}function M(e,t){return{...t.unavailable,detail:e}}function I(e,t){return M(
`The search index is damaged: ${e}. Unless it is being published just now, build and publish it again.`,t)}function ie(e,t,n,s){return At(e,t,n,s,Tt)}function St(e,t){let n=new URL(t);return n.pathname=e,n.search="",n}async function jt(e,t,n,s){
let{pathname:o,search:r}=new URL(e.url),i=ie(e.method,o,r.slice(1),n),c=e.method==="HEAD";if(i.allow)return ue(i,n);if(i.
problem&&i.query&&s)return ce(i.query,e,t,n,s);if(i.problem)return ot(i,n,c);let a=i.file.startsWith(n.api),f=i.record||
i.query&&(i.query.filters.program||i.query.filters.organization),u=f?"GET":e.method,l=i.file.includes("//")?new Response(
null,{status:404}):await t(i.file,{method:u,headers:e.headers,redirect:"manual"});if(!a&&l.status!==404)return l;if(!a){
let p=await t(n.missing,{method:e.method}),{body:g,headers:m}=p.ok?p:l;return new Response(c?null:g,{status:404,headers:m})}
if(l.status===404){let p=m=>_t(m,e,t),g=await ae(i,p,n);return g?new Response(null,{status:308,headers:{...n.headers,location:g}}):
ot(await le(i,p,n),n,c)}let h=new Headers(l.headers);for(let[p,g]of Object.entries(n.headers))h.set(p,g);(l.ok||l.status===
304)&&h.set("content-location",n.prefix+i.file);let d=c||l.status===304?null:l.body;if(f&&l.ok){let p=await l.text();if(Ut(
p)){let{links:g,data:m}=JSON.parse(p),w=i.record?`${n.prefix}${i.record.root}/${m.replaced_by}`:g.replaced_by;return new Response(
null,{status:308,headers:{...n.headers,location:w}})}d=c?null:p}return new Response(d,{status:l.status,headers:h})}async function ce(e,t,n,s,o){
let r=t.headers.get("if-none-match")??"",i=d=>(r.match(/"[^"]*"/g)??[]).includes(d),c=t.method==="HEAD",a=(d,p)=>_t(d,t,
n,p),{body:f,etag:u,...l}=await o(e,a,s,i);if(!u)return ot(l,s,c);let h={...s.headers,etag:u};return!f||r.trim()==="*"?new Response(
null,{status:304,headers:h}):new Response(c?null:f,{headers:{...h,"content-type":s.json}})}async function _t(e,t,n,s){let o=new Headers(
t.headers),r=["if-match","if-none-match","if-modified-since","if-unmodified-since","if-range"];for(let a of[...r,"range",
"accept-encoding"])o.delete(a);let i=await n(e,{headers:o},s),c=await i.arrayBuffer();return i.ok?new Uint8Array(c):null}
function Ut(e){return e.slice(0,99).includes('"kind":"moved"')}async function ae(e,t,n){let[s,o]=Object.entries(e.query&&
e.query.filters||{})[0]||[],r=n.lists.find(({name:a})=>n.kinds[a]===s),i=r&&await t(r.root+$(n.files.record,{slug:o})),c=i&&
new TextDecoder().decode(i);if(!(!c||!Ut(c)))return n.prefix+e.file.replace(`/${s}/${o}/`,`/${s}/${JSON.parse(c).data.replaced_by}\
/`)}async function le(e,t,n){if(e.record)return x(n,"not-found",`There is no ${n.kinds[e.record.name]} "${e.slug}".`);if(!e.
query)return x(n,"not-found");let{collection:s,filters:o,page:r}=e.query,i=await t(e.file.replace(/[0-9]+(?=\.json$)/,"1")),
c=i?fe(i):0;if(c&&r>c)return H(r,c,n);let a=Object.entries(o).filter(([f])=>!n.lists.some(u=>f in u.fixed));return!i&&a.
length?W(s,...a[0],n):{...n.unavailable,detail:`The build is damaged: ${e.file} is missing. Build it again.`}}function fe(e){
try{return JSON.parse(new TextDecoder().decode(e)).page.total_pages}catch{return 0}}function ot(e,t,n){let s={...t.headers,
...e.headers,"content-type":t.type},{status:o,title:r,detail:i}=e,c=e.problem?vt(e,t):{type:"about:blank",title:r,status:o,
detail:i};return new Response(n?null:`${JSON.stringify(c)}
`,{status:o,headers:s})}function ue(e,t){let n={...t.headers,allow:e.allow.join(", ")};return e.status===204?new Response(
null,{status:204,headers:{...n,...t.preflight}}):new Response(`${t.not_allowed}
`,{status:e.status,headers:{...n,"content-type":t.type}})}var N=class extends Error{},y=class extends Error{},b=new TextEncoder,he=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}),
Et=`,"check":"00000000"}
`;function P(e){try{return he.decode(e)}catch{throw new y}}function D(e,t,n){let s=new Uint32Array(n+2);for(let r=0;r<e.
length;r++)s[t(e[r])+1]++;for(let r=1;r<s.length;r++)s[r]+=s[r-1];let o=new Uint32Array(e.length);for(let r=0;r<e.length;r++)
o[s[t(e[r])]++]=e[r];return o}function L(e,t){if(e.length%t)throw new y;let n=e.slice();return new Uint32Array(new{1:Uint8Array,
2:Uint16Array,4:Uint32Array}[t](n.buffer))}function Nt(e){let t=e.indexOf(10)+1;return e.subarray(t,Math.max(t,e.lastIndexOf(
10,e.length-2)))}function zt(e,t,n){let s=[];for(let o=0,r;o<=e.length;o=r+1){r=e.indexOf(10,o),r<0&&(r=e.length);let i=t&&
r<e.length;if(s.length===n||i&&e[r-1]!==44)throw new y;s.push(e.subarray(o,r-i))}if(s.length!==n)throw new y;return s}function Rt(e){
let t=e.length-Et.length,n=S(e.subarray(0,t)).toString(16).padStart(8,"0");return t>0&&P(e.subarray(t))===Et.replace("00\
000000",n)}var T=new Uint32Array(1024);for(let e=0;e<256;e++){let t=e;for(let n=0;n<8;n++)t=t&1?t>>>1^3988292384:t>>>1;T[e]=
t}for(let e=256;e<1024;e++)T[e]=T[e-256]>>>8^T[T[e-256]&255];function S(e){let[t,n]=[-1,0];for(let s=e.length-3;n<s;n+=4)
t^=e[n]|e[n+1]<<8|e[n+2]<<16|e[n+3]<<24,t=T[768+(t&255)]^T[512+(t>>>8&255)]^T[256+(t>>>16&255)]^T[t>>>24];for(;n<e.length;n++)
t=t>>>8^T[(t^e[n])&255];return~t>>>0}var[de,pe]=[/^-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?$/,/^[1-9][0-9]{0,6}$/];function me(e){let t=0;for(let n=0;n<
e.length;n++)t+=e[n];return t}function ge(e,t,n){let s=!0;for(let o=0;o<e.length;o++)s&&=e[o]>=t&&e[o]<=n;return s}var U=class{constructor(t,n){
Object.assign(this,{name:t,reader:n,records:n.manifest.count,...n.manifest.columns[t]})}files(t){let n=new Set(t&&Array.
from(t,o=>Math.floor(o/this.chunk))),s=Array.from({length:Math.ceil(this.records/this.chunk)},(o,r)=>[`columns/${this.name}`,
r]);return t?s.filter(([,o])=>n.has(o)):s}get listed(){return[`columns/${this.name}/values`,0]}parts(){return this.files().
flatMap(t=>{let n=this.reader.have(...t);if(!n)return[];let s=t[1]*this.chunk,o=Math.min(this.chunk,this.records-s),r=n.
subarray(0,o*this.counts),i=this.counts?L(r,this.counts):null,c=L(n.subarray(r.length),this.width);if(!(i?i.length===o&&
me(i)===c.length:c.length===o)||!ge(c,i?1:0,this.values))throw new y;return[[s,c,i]]})}numbers(){let t=new Uint32Array(this.
records);if(this.counts)throw new y;for(let[n,s]of this.parts())t.set(s,n);return t}places(t,n){let s=this.numbers(),o=new Uint32Array(
this.values+1);for(let a=0;a<s.length;a++)o[s[a]]++;let r=0;for(let a=1;a<=this.values+1;a++){let f=a>this.values?0:n?this.
values+1-a:a;r+=o[f],o[f]=r-o[f]}let i=new Map,c=0;for(let a of Array.from(t).sort((f,u)=>f-u)){for(;c<a;c++)o[s[c]]++;i.
set(a,o[s[a]])}return i}tally(t){let n=new Uint32Array(this.values+1);for(let[s,o,r]of this.parts())if(r)for(let i=0,c=0;i<
r.length;i++){let a=c+r[i];if(t[s+i])for(;c<a;)n[o[c++]]++;c=a}else for(let i=0;i<o.length;i++)t[s+i]&&n[o[i]]++;return n[0]=
0,n}lines(){let t=P(this.reader.have(...this.listed)).split(`
`);if(t.pop()!==""||t.length!==this.values)throw new y;let n;return t.map(s=>{let o=s.split("	"),[r,i]=[this.key(o[0]),Number(
o[2])],c=this.type==="text"?/^[\0-\x7f]*$/:de;if(!(o.length===3&&c.test(o[0])&&pe.test(o[2])&&i<=this.records)||r<=n)throw new y;
return n=r,[o[0],o[1],i]})}key(t){return this.type==="text"?t:Number(t)}between(t,n,s){let o=this.lines().map(([c])=>this.
key(c)),r=t===null?0:o.filter(c=>c<this.key(t)).length,i=n===null?o.length:o.filter(c=>c<=this.key(n)).length;for(let[c,
a,f]of this.parts())for(let u=0,l=c,h=f?f[0]:1;u<a.length;u++,h--){for(;!h;)h=f?f[++l-c]:(l++,1);a[u]>r&&a[u]<=i&&s(l)}}};function Ct(e,t,n){let s=e.replace(/^\*|^=(?=\/)/,"");if(s[0]==="/"){let i=s.slice(0,s.indexOf("/",1));return t.has(i)?s:
i}let o=[...s];if(s[0]==="="||o.length<n)return s;let r=n;for(;t.has(o.slice(0,r).join(""))&&r<o.length;)r+=1;return o.slice(
0,r).join("")}var G=e=>`=${e}`;function j(e,{manifest:{split:t,shards:n},table:s},o=!1){return{shard:S(b.encode(Ct(e,t,s.
index.prefix)))&n-1,key:b.encode(e),more:o,bodies:[]}}function It(e,t){let[{split:n},{prefix:s}]=[t.manifest,t.table.index],
o=[...e].length<s;return!o&&n.has(Ct(e,n,s))?[j(e,t),j(`*${e}`,t)]:[j(e,t,!o)]}var F=class{constructor(t){Object.assign(
this,{data:t,at:0})}next(){let t=0;for(let n=1;n<=2**28;n*=128){let s=this.data[this.at++];if(t+=(s&127)*n,s<128)return t}
throw new y}};function Pt(e,t){let n=new F(e),[s,o]=[0,0];for(;n.at<e.length;){let r=n.next(),i=n.at;n.at+=r;let c=n.next()+
n.at,a=0;for(;a<r&&a<o&&e[s+a]===e[i+a];)a++;if(c>e.length||a===r||a<o&&e[s+a]>e[i+a])throw new y;for(let{key:f,more:u,bodies:l}of t){
if(r<f.length||!u&&r>f.length)continue;let h=0;for(;h<f.length&&e[i+h]===f[h];)h++;h===f.length&&l.push([e.subarray(n.at,
c),r===h])}s=i,o=r,n.at=c}}function rt(e,t,{table:n},s){let{levels:o}=n.index,r=new F(e),i=0;for(;r.at<e.length;){let c=e[r.
at]>>3,a=e[r.at++]&7,f=r.next(),u=r.at,l=f*(a||1)+u;if(c<i||c>=o||![0,1,2,4].includes(a)||!f||l>e.length)throw new y;if(a&&
f>t)throw new y;i=c+1,r.at=l;for(let h=0;a&&u<l;u+=a){if(h+=e[u],a>1&&(h+=e[u+1]<<8),a>2&&(h+=(e[u+2]<<16)+e[u+3]*2**24),
h>=t)throw new y;s(h,c)}for(let h=0;u<l;h+=8)for(let d=h,p=e[u++];p;d++,p>>=1)if(p&1){if(d>=t)throw new y;s(d,c)}}}var we=42;function lt(e){let{query:t,list:n,table:s}=e,o=t.q===null?[]:[...new Set(R(t.q,s))],r=C(n,s),i=Object.entries(
t.filters).map(([a,f])=>{let u=n.fixed[a]?{how:"any",values:[f]}:st(a,r[a],f,s),l=u.how==="range"||s.unprepared.includes(
r[a])?ct:it;return new l(a,u,e)}),c=new Uint8Array(e.manifest.count);return[...i,...o.map((a,f)=>new at(a,f,o.length,c,e))]}
var K=class{constructor(t,{how:n,values:s,low:o,high:r},i){let c=new Uint8Array(i.manifest.count);Object.assign(this,{name:t,
how:n,values:s,low:o,high:r,reader:i,marks:c,seeks:[],files:[]})}meet(){let{how:t,marks:n}=this,s=this.values??[null];s.
forEach((r,i)=>{t==="all"?this.each(i,c=>n[c]+=n[c]===i):this.each(i,c=>n[c]=1)});let o=t==="all"?s.length:1;for(let r=0;r<
n.length;r++)n[r]=n[r]>=o==(t!=="not")}},it=class extends K{constructor(t,n,s){super(t,n,s),this.keys=this.values.map(o=>$(
s.table.index.key,{filter:t,value:o})),this.seeks=[...this.keys,...this.keys.map(G)].map(o=>j(o,s))}each(t,n){let{name:s,
values:o,reader:r,marks:i}=this,[c]=this.seeks[t].bodies;if(!c)throw W(r.query.collection,s,o[t],r.table);rt(c[0],i.length,
r,(a,f)=>f||n(a))}lists(){let{name:t,how:n,values:s,reader:o,keys:r}=this;return n==="not"?[]:s.map((i,c)=>{let a=s.length>
1?new Uint8Array(this.marks.length):this.marks;s.length>1&&this.each(c,h=>a[h]=1);let{fixed:f,root:u}=o.list;return{path:f[t]?
f[t].file:u+$(o.table.files.by,{filter:t,value:i,page:":page"}),pages:this.seeks[r.length+c],marks:a}})}},ct=class extends K{constructor(t,n,s){
super(t,n,s),this.column=new U(t,s),this.files=[this.column.listed,...this.column.files()]}each(t,n){let{low:s,high:o,values:r,
column:i}=this;r?i.between(r[t],r[t],n):i.between(s,o,n)}},at=class{constructor(t,n,s,o,r){let{count:i,language:c}=r.manifest;
Object.assign(this,{place:n,words:s,named:o,reader:r,marks:new Uint8Array(i),files:[]});let a=/^en(-|$)/.test(c)?$t(t):[];
this.own=It(t,r),this.seeks=[...this.own,...a.map(f=>j(f,r))]}meet(){let{marks:t,named:n,place:s,words:o,reader:r,own:i}=this,
{index:c}=r.table;for(let a of this.seeks)for(let[f,u]of a.bodies){let l=u&&a.key[0]!==we,h=l?c.whole:c.begun,d=l&&i.includes(
a)?c.named+o-1:-1;rt(f,t.length,r,(p,g)=>{t[p]<h[g]?t[p]=h[g]:g===d&&n[p]===s&&n[p]++})}}};function z({collection:e,mode:t,q:n,filters:s,sort:o,by:r,like:i},c,a){let f=[`mode=${t}`];n!==null&&f.push(`q=${Dt(n)}`);
for(let[u,l]of Object.entries(s))f.push(`${u}=${l}`);return r&&r.length&&f.push(`by=${r}`),typeof i=="string"&&f.push(`l\
ike=${Dt(i)}`),o&&f.push(`sort=${o}`),c>1&&f.push(`page=${c}`),`${a.prefix}${a.lists.find(({name:u})=>u===e).root}?${f.join(
"&")}`}function Lt(e,t,n,s,o,r){let i=r.lists.find(({name:m})=>m===e.collection),{page:c,order:a,q:f,filters:u}=e,l=m=>z(
e,m,r),h={schema_version:r.schema_version,kind:`${r.kinds[i.name]}_list`,...o.as_of===null?{}:{as_of:o.as_of},query:{mode:"\
page",page:c,sort:a,q:f,filters:u},page:{number:c,size:o.size,count:t.length,total_items:n,total_pages:s},links:{self:l(
c),first:l(1),prev:c>1?l(c-1):null,next:c<s?l(c+1):null,last:l(s),filters:r.prefix+i.root+r.files.filters}},d=JSON.stringify(
h).slice(0,-1),p=t.flatMap((m,w)=>[b.encode(w?`,
`:`${d},"data":[
`),m]);p.push(b.encode(t.length?`
]}
`:`${d},"data":[]}
`));let g=new Uint8Array(p.reduce((m,w)=>m+w.length,0));return p.reduce((m,w)=>(g.set(w,m),m+w.length),0),g}function Dt(e){
return encodeURIComponent(e).replace(/[!\x27()*]/g,t=>`%${t.charCodeAt(0).toString(16).toUpperCase()}`)}function Bt(e,t,n,{list:s,table:o,manifest:{as_of:r}}){let{q:i,filters:c,by:a,like:f}=e,u={collection:s.name,mode:"page",
q:i,filters:c,sort:"",order:s.sorts[0],page:1},{file:l}=nt(u,s,o,C(s,o)),h=o.index.most.values,d=n.map(([g,m])=>{let w=m.
slice(0,h).map(([A,mt,v])=>({value:A,label:mt,count:v})),[O,k]=[m.length,m.length>h];return[g,{label:o.index.labels[s.name][g],
total_values:O,truncated:k,values:w}]}),p={schema_version:o.schema_version,kind:`${o.kinds[s.name]}_count`,...r===null?{}:
{as_of:r},query:{mode:e.mode,q:i,filters:c,by:a,like:f},total_items:t,links:{self:z(e,1,o),list:l?o.prefix+l:z(u,1,o)},counts:Object.
fromEntries(d)};return b.encode(`${JSON.stringify(p)}
`)}var E=(e,t,n)=>Number.isInteger(e)&&e>=t&&e<=n,ft=(e,t)=>typeof e=="string"&&t.test(e);function qt(e,t,n){let{most:s,format:o}=n.
index,{unicode:r}=n.folding,i;try{if(i=e.length<=s.manifest?JSON.parse(P(e)):null,i.kind!=="search_index"||!E(i.format,0,
2**30))throw new y;if(i.format!==o)throw M(`The search index has the format ${i.format}; this program reads ${o}.`,n);if(!Rt(
e)||i.collection!==t.name)throw new y;if(!ft(i.unicode,/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/))throw new y;if(i.unicode!==r){
let c=`was made by Unicode ${i.unicode}; this program folds words by ${r}`;throw M(`The search index ${c}. They go toget\
her in one version of the generator.`,n)}return ye(i,t,n.index)}catch(c){throw c.status?c:I("its manifest is not one tha\
t a build writes",n)}}function ye(e,{name:t},{most:n,rows:{small:s,block:o,blocks:r},columns:i}){let c=i[t],{count:a,size:f,
as_of:u,language:l,shards:h,split:d,rows:p,row_bytes:g,columns:m,files:w}=e,O=Math.ceil(a/(r*o))*o,k=O>o?[s,o,O]:[s,o],A={
keys:h};for(let v of k.slice(1))A[`rows/${v}`]=Math.ceil(a/v);for(let v of c){let{type:V,values:Y,width:Vt,counts:gt,chunk:wt}=m[v];
if(!(["text","number"].includes(V)&&E(Y,0,gt?2**30:a)&&Vt===(Y<2**8?1:Y<2**16?2:4)&&[0,1,2,4].includes(gt)&&E(wt,1,2**30)))
throw new y;A[`columns/${v}`]=Math.ceil(a/wt),A[`columns/${v}/values`]=1}if(!(E(a,0,n.records)&&E(f,1,n.size)&&E(h,1,n.records)&&
!(h&h-1)&&E(g,0,2**30)&&JSON.stringify(p)===JSON.stringify(k)&&Object.keys(m).length===c.length&&Object.keys(w).length===
Object.keys(A).length&&Object.entries(A).every(([v,V])=>xe(w[v])===V)&&ft(l,/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/)&&
(u===null||ft(u,/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/))&&Array.isArray(d)&&d.every(v=>typeof v=="string")))throw new y;return{...e,
split:new Set(d)}}function xe(e){let t=/^[A-Za-z0-9+/]*(={0,2})$/.exec(e)[1].length;return e.length%4?-1:(e.length/4*3-t)/
4}function ut({files:e,rows:[t,n]},s,o){if(s===`rows/${t}`)return ut({files:e,rows:[]},`rows/${n}`,Math.floor(o*t/n));let r=atob(
e[s].substr(Math.floor(o/3)*16,16));return[3,2,1,0].reduce((i,c)=>i*256+r.charCodeAt(o%3*4+c),0)}var $e=16*2**20,[B,ht]=[new Map,new Map],dt=0;function ke(e,t){B.delete(e)||(dt+=t.length),B.set(e,t);for(let[n,{length:s}]of B){
if(dt<=$e)break;B.delete(n),dt-=s}return t}var Jt=e=>e.toString(16).padStart(8,"0");function Oe(e){let t=e.subarray(0,-9);
return b.encode(`${Jt(S(t))}
`).every((s,o)=>s===e[t.length+o])?t:null}var Z=class{constructor(t,n,s,o){let{most:r}=s.index,i=Date.now()+r.seconds*1e3,
c=s.lists.find(({name:a})=>a===t.collection);Object.assign(this,{query:t,read:n,table:s,again:o,most:r,until:i,list:c}),
this.begin(o?null:ht.get(c.name))}begin(t){Object.assign(this,{manifest:t,reads:1,bytes:0,held:new Map})}async one(t){try{
return await this.read(t,this.again)}catch{throw M("The search index cannot be read.",this.table)}}async current(){let{name:t}=this.
list,n=await this.one($(this.table.index.manifest,{collection:t}));if(!n)throw M(`There is no search index of ${t} here.`,
this.table);let s=S(n),o=ht.get(t);return(!o||o.check!==s||o.bytes!==n.length)&&(o={...qt(n,this.list,this.table),check:s,
bytes:n.length},ht.set(t,o)),o}async fetch(t,n=[],s=0){let{manifest:o,held:r}=this,i=new Map;for(let[a,f]of t){let u=ut(
o,a,f),l=$(this.table.index.file,{collection:this.list.name,what:a,number:`${f}-${Jt(u)}`});i.set(`${a},${f}`,[l,u,a===`\
rows/${o.rows[0]}`])}for(let[a,f]of n)i.set(a,[a,f]);this.bound(i.size,s);let c=async([a,[f,u,l]])=>{let h=B.get(`${f} ${u}`),
d=h??await this.one(f),p=a===f,g=d&&(p?Nt(d):l?Oe(d):d);if(g&&(h||l||S(g)===u))r.set(a,g),ke(`${f} ${u}`,d),this.bytes+=
d.length;else if(!p)throw new N(`${f} is ${d?"not the file that the manifest means":"missing"}`)};await Promise.all([...i].
map(c)),this.bound(0,0),this.inTime()}have(t,n){return this.held.get(`${t},${n}`)}page(t){return this.held.get(t)}inTime(){
if(Date.now()>this.until)throw M(`The answer took longer than ${this.most.seconds} seconds.`,this.table)}bound(t,n){this.
reads+=t;let s={reads:this.reads,bytes:this.bytes+n};for(let o in s){if(s[o]<=this.most[o])continue;let r=`This query ne\
eds ${s[o]} ${o}, and at most ${this.most[o]} are allowed.`;throw x(this.table,"invalid-parameter",`${r} Ask with fewer \
or longer words, or fewer filters.`)}}};var[ve,be]=[4096,2**40];async function Wt(e,t,n){let s=Array.from(e),{count:o,rows:r}=n.manifest,i=r.map(l=>({size:l,count:o,
what:`rows/${l}`,places:new Map(s.map(h=>[h,h]))})),c=[...i,...t.flatMap(l=>Ae(l,s,n))],a=await Ht(s,c,n),f=s.filter(l=>!a.
has(l)),u=f.length?await Ht(f,i,n):a;return s.map(l=>a.get(l)??u.get(l))}function Ae({path:e,pages:t,marks:n,places:s},o,{
manifest:{size:r,count:i}}){let[c]=t.bodies,a=s??Me(n,o);if(!c||!a.size)return[];let f=L(c[0],4),u=n?0:i;if(n)for(let l=0;l<
i;l++)u+=n[l];if(f.length!==Math.max(1,Math.ceil(u/r)))throw new y;return[{size:r,count:u,path:e,checks:f,places:a}]}function Me(e,t){
let n=new Map,[s,o]=[0,0];for(let r of t.filter(i=>e[i]).sort((i,c)=>i-c)){for(;o<r;o++)s+=e[o];n.set(r,s)}return n}async function Ht(e,t,n){
let{row_bytes:s}=n.manifest,o=Te(e,t,s,n.most.reads-n.reads),r=[...new Set(o)],i=r.filter(({source:l})=>l.what).map(({source:l,
n:h})=>[l.what,h]),c=({source:l,n:h})=>$(l.path,{page:h+1}),a=r.filter(({source:l})=>l.path).map(l=>[c(l),l.source.checks[l.
n]]);await n.fetch(i,a,r.reduce((l,{source:h})=>l+h.size*s,0));let f=new Map;for(let l of r){let{source:h,n:d}=l,p=h.what?
n.have(h.what,d):n.page(c(l));if(!p)continue;let g=h.what&&p[p.length-1]===10?p.subarray(0,-1):p;f.set(l,zt(g,!h.what,Math.
min(h.size,h.count-d*h.size)))}let u=new Map;return e.forEach((l,h)=>{let{source:d}=o[h],p=f.get(o[h]);p&&u.set(l,p[d.places.
get(l)%d.size])}),u}function Te(e,t,n,s){for(let o=ve;;o*=4){let r=Se(e,t,n,o);if(new Set(r).size<=s||o>=be)return r}}function Se(e,t,n,s){
let o=t.flatMap(i=>{let c=new Map;return e.forEach((a,f)=>{if(!i.places.has(a))return;let u=Math.floor(i.places.get(a)/i.
size);c.has(u)||c.set(u,{source:i,n:u,rows:new Set}),c.get(u).rows.add(f)}),[...c.values()].sort((a,f)=>a.n-f.n)}),r=[];
for(let i=e.length;i;){let c=o[0],a=({source:u,rows:l})=>(s+u.size*n)/l.size;for(let u of o)a(u)<a(c)&&(c=u);let f=[...c.
rows];i-=f.length;for(let u of f)r[u]=c;for(let u of o)for(let l of f)u.rows.delete(l)}return r}var je=2**25;function _e(e,t){let n=Math.floor(t*256/Math.max(1,e)),s=32-Math.clz32(n);return(s-9)*8+(n>>>s-4&7)+1}function Ft(e,t,n,s){
let o=new Uint32Array(s);for(let{marks:c}of t){let a=0;for(let u=0;u<s;u++)c[u]&&a++;let f=_e(a,s);for(let u=0;u<e.length;u++)
o[e[u]]+=f*c[e[u]]}for(let c=0;c<e.length;c++)n[e[c]]===t.length&&(o[e[c]]+=je);let r=8191,i=D(e,c=>r-(o[c]&r),r);return D(
i,c=>r-(o[c]>>>13),r)}var Ue=2;async function Kt(e,t,n,s=()=>!1){let o;for(let r=1;r<=2;r++){let i=new Z(e,t,n,r>1);try{return await Ee(i,s)}catch(c){
if(c.status)return c;if(c instanceof y)return I("a file of it is not one that a build writes",n);if(!(c instanceof N))throw c;
if(i.manifest===o)return I(c.message,n);o=i.manifest}}return M("The registry is being replaced; ask again in a moment.",
n)}async function Ee(e,t){let n=e.manifest&&Ne(Gt(e,t)),[s,o]=await Promise.all([e.current(),n]);return s===e.manifest?o():
(e.begin(s),Gt(e,t))}var Ne=e=>e.then(t=>()=>t,t=>()=>{throw t});async function Gt(e,t){let{query:n,table:s,manifest:o}=e,
r=ze(n,o,s);return t(r)?{etag:r}:{body:await(n.mode==="count"?Ce(e):Re(e)),etag:r}}function ze(e,{check:t,bytes:n},s){let o=S(
b.encode(`${s.made} ${z(e,e.page??1,s)}`));return`"${[t,n,o].map(r=>r.toString(16)).join("-")}"`}async function Re(e){let{
query:t,table:n,manifest:s,list:o}=e,{size:r}=s,i=lt(e),c=t.order==="relevance"||t.order===o.sorts[0]?null:new pt(t.order,
e),a=await Zt(i,c?c.seeks:[],c?c.early:[],e),f=new Uint32Array(s.count),u=0;for(let k=0;k<a.length;k++)a[k]===i.length&&
(f[u++]=k);let l=f.subarray(0,u),h=i.filter(({named:k})=>k),d=()=>Ft(l,h,h[0].named,s.count),p=t.order==="relevance"?d():
c?await c.ordered(l):l,g=Math.max(1,Math.ceil(u/r));if(t.page>g)throw H(t.page,g,n);let m=p.subarray((t.page-1)*r,t.page*
r),w=i.flatMap(k=>k.lists?.()??[]),O=await Wt(m,c?[...w,...c.lists(m)]:w,e);return Lt(t,O,u,g,s,n)}async function Zt(e,t,n,s){
let o=[...e.flatMap(a=>a.seeks),...t],r=[...new Set(o.map(({shard:a})=>a))],i=[...r.map(a=>["keys",a]),...e.flatMap(a=>a.
files),...n];await s.fetch(i);for(let a of r)Pt(s.have("keys",a),o.filter(f=>f.shard===a)),s.inTime();let c=new Uint16Array(
s.manifest.count);for(let a of e){a.meet();let{marks:f}=a;for(let u=0;u<c.length;u++)f[u]&&c[u]++;s.inTime()}return c}var pt=class{constructor(t,n){
let{list:s,table:o}=n;Object.assign(this,{reader:n,down:t[0]==="-",column:new U(t.replace("-",""),n)});let r=this.column.
files();this.early=r.length<=Ue?r:[],this.seeks=s.sorts.includes(t)?[j(G(t),n)]:[],this.path=s.root+$(o.files.sorted,{sort:t,
page:":page"})}async ordered(t){let{column:n,down:s,early:o,reader:r}=this;o.length||await r.fetch(n.files(t));let[i,c]=[
n.numbers(),n.values];return D(t,a=>i[a]?s?c-i[a]:i[a]-1:c,c)}lists(t){let{column:n,down:s,early:o,seeks:r,path:i}=this;
return!o.length||!r.length?[]:[{path:i,pages:r[0],places:n.places(t,s)}]}};async function Ce(e){let{query:t,table:n,manifest:s}=e,
o=lt(e),r=t.by.map(l=>new U(l,e)),i=r.map(({name:l})=>o.filter(h=>h.name!==l)),c=r.flatMap((l,h)=>[l.listed,...i[h].length?
l.files():[]]),a=await Zt(o,[],c,e),f=0;for(let l=0;l<a.length;l++)a[l]===o.length&&f++;let u=r.map((l,h)=>{let d=l.lines();
if(i[h].length){let p=o.find(w=>w.name===l.name),g=new Uint8Array(a.length);for(let w=0;w<a.length;w++)g[w]=a[w]-(p?p.marks[w]:
0)===i[h].length;let m=l.tally(g);d.forEach((w,O)=>w[2]=m[O+1]),d=d.filter(w=>w[2])}return t.like!==null&&(d=d.filter(p=>Ie(
t.like,p.slice(0,2),n))),d.sort((p,g)=>g[2]-p[2]||(p[0]<g[0]?-1:1)),e.inTime(),[l.name,d]});return Bt(t,f,u,e)}function Ie(e,t,n){
let s=t.flatMap(o=>R(o,n));return R(e,n).every(o=>s.some(r=>r.startsWith(o)))}Object.assign(edge,{beside:St,respond:jt,search:Kt});})();
