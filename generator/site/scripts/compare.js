var x=JSON.parse(document.getElementById("page").textContent);document.documentElement.classList.add("js");var p=x.told;
function d(t,e={}){let n=x.texts[t];return(typeof n=="string"?n:e.count===1?n.one:n.other).replace(/\{([a-z_]+)\}/g,(s,r)=>typeof e[r]==
"number"?g(e[r]):e[r])}var g=t=>String(t).replace(/\B(?=(\d{3})+$)/g,x.thousands),w=t=>x.prefix+t,b=(t,e=document)=>e.querySelector(
t),T=(t,e=document)=>[...e.querySelectorAll(t)];function o(t,e={},...n){let[a,...s]=t.split("."),r=document.createElement(
a);s.length&&(r.className=s.join(" "));for(let[l,u]of Object.entries(e))u!==null&&u!==!1&&r.setAttribute(l,u===!0?"":u);
return r.append(...n.flat().filter(l=>l!==null&&l!==!1)),r}var v=class extends Error{constructor(e){super(e?e.detail:""),
this.problem=e}},P,U=0;function st(){let t=U?`?${U}`:"";return P??=import(`${w("/api/search.js")}${t}`).catch(e=>{throw P=
null,U++,e}),P}async function j(t){let e;try{e=await(await st()).ask(t)}catch{throw new v(null)}let n=await e.json().catch(
()=>null);if(!e.ok)throw new v(n);return n}var ot="ABCD",at=8,rt=5,q=3,ct=150,[f,S,O]=["#seek","#seek-found","#says"].map(t=>b(t)),L=t=>t.length===2,J=t=>t.flatMap(
(e,n)=>n%q?[]:[t.slice(n,n+q)]),M=t=>t.problem?.detail??d("failed"),{lang:B}=document.documentElement,A=B.startsWith("en")?
null:new Intl.DisplayNames([B],{type:"region"});function _(t,e,n){return t==="location"&&A&&L(e)?A.of(e.toUpperCase()):t===
"status"&&p.status[e]||n}var lt=t=>{let e=100*t,n=e>0&&e<9.95?e.toFixed(1).replace(/\.0$/,""):e.toFixed(0);return p.percent.
replace("{number}",n.replace(".",p.decimal))},y=[];function G(){let t=[...new URLSearchParams(location.search)].flatMap(
([e,n])=>p.kinds[e]?n.split(",").map(a=>[e,a]):[]);return(t.length?t:p.subjects).slice(0,p.most)}function K(t){let e=t.map(
([n,a])=>`${n}=${encodeURIComponent(a)}`);history.pushState(null,"",e.length?`?${e.join("&")}`:location.pathname),N()}async function it([
t,e]){let n=t==="program"?`/api/programs/slug/${e}.json`:`/api/projects/filters/${t}.json`,{data:a}=await(await fetch(w(
n))).json();return a.name??_(t,e,a.values.find(s=>s.value===e).label)}var Q=(t,e="")=>`/api/projects?mode=count&${t.map(
([n,a])=>`${n}=${encodeURIComponent(a)}`).join("&")}${e}`;async function ut(t){let[e,n]=t,a=e==="program"?`${p.roots.programs}\
/${n}/`:`${p.roots.projects}/${e.replaceAll("_","-")}/${n}/`,[s,r]=[{subject:t,href:w(a),counts:{}},it(t).catch(()=>n)];
try{for(let l of J(["year",...p.sections])){let u=await j(Q([t],`&by=${l}`));s.total=u.total_items;for(let[c,{values:i,truncated:m}]of Object.
entries(u.counts))s.counts[c]=c===e?null:{truncated:m,values:new Map(i.map(h=>[h.value,h]))}}}catch(l){s.refused=M(l)}return{
...s,label:await r}}async function pt(t,e,n){let a=t.counts[e];if(!a)return null;let s=a.values.get(n);return s||!a.truncated?
s?.count??0:(await j(Q([t.subject,[e,n]]))).total_items}async function dt(t,e){let n=new Map;for(let{counts:s,total:r}of e)
for(let{value:l,label:u,count:c}of s[t]?.values.values()??[])t==="location"&&!L(l)||n.set(l,{value:l,label:_(t,l,u),most:Math.
max(n.get(l)?.most??0,c/r)});let a=[...n.values()].sort((s,r)=>r.most-s.most||(s.value<r.value?-1:1)).slice(0,at);return Promise.
all(a.map(async s=>({...s,numbers:await Promise.all(e.map(r=>pt(r,t,s.value)))})))}function $(t,e,...n){let a=document.createElementNS(
"http://www.w3.org/2000/svg",t);for(let[s,r]of Object.entries(e))a.setAttribute(s,r);return a.append(...n),a}var I=t=>o(
"span.letter",{"aria-hidden":"true"},ot[t]),V=t=>o("thead",{},o("tr",{},o("td"),t.map(e=>o("th.num",{scope:"col"},I(e.at),
o("span.unseen",{},e.label))))),X=()=>o("p.soft.small",{},d("none"));function mt(t,e,n){if(!n.length)return X();let a=n[0].
most,s=(u,c)=>{if(u===null)return o("td.num.soft",{title:d("chosen")},"–");let i=c?u/c:0,m=$("rect",{class:"bar",width:`${100*
i/a}%`,height:6}),h=$("svg",{class:"track",width:"100%",height:6,"aria-hidden":"true"},m);return o("td.num",{},o("span.s\
hare",{},lt(i))," ",o("span.soft",{},g(u)),h)},r=`${p.roots.projects}/${t.replaceAll("_","-")}`,l=({value:u,label:c,numbers:i})=>o(
"tr",{},o("th",{scope:"row"},o("a",{href:w(`${r}/${u}/`)},o("bdi",{},c))),i.map((m,h)=>s(m,e[h].total)));return o("table\
.versus",{"aria-labelledby":`by-${t}`},V(e),o("tbody",{},n.map(l)))}function ft(t){let e=t.map(({counts:c})=>new Map([...c.
year?.values.values()??[]].map(i=>[+i.value,i.count]))),n=[...new Set(e.flatMap(c=>[...c.keys()]))].sort((c,i)=>c-i);if(!n.
length)return[X()];let[a,s]=[n[0],n.at(-1)],r=100/(s-a+1),l=(c,i)=>{let m=Math.max(0,...e[i].values()),h=n.find(k=>e[i].
get(k)===m),Z=[...e[i]].map(([k,D])=>{let R=100*D/m,nt={class:"bar",x:`${(k-a)*r}%`,y:`${100-R}%`,width:`${.8*r}%`,height:`${R}\
%`};return $("rect",nt,$("title",{},`${k}: ${g(D)}`))}),tt=`${c.label}: ${m?d("peak",{year:String(h),number:m}):d("none")}`,
et=$("line",{class:"rule base",x1:0,x2:"100%",y1:"100%",y2:"100%"});return o("div.chart.timeline",{},I(c.at),$("svg",{width:"\
100%",height:56,role:"img","aria-label":tt},...Z,et))},u=c=>o("tr",{},o("th",{scope:"row"},String(c)),e.map(i=>o("td.num",
{},g(i.get(c)??0))));return[...t.map(l),o("p.ends.soft.small",{"aria-hidden":"true"},o("span",{},String(a)),o("span",{},
String(s))),t.some(({counts:c})=>c.year?.truncated)&&o("p.soft.small",{},d("truncated")),o("details.numbers",{},o("summa\
ry",{},d("table")),o("table.versus",{"aria-labelledby":"by-year"},V(t),o("tbody",{},n.map(u))))].filter(Boolean)}var ht=(t,e)=>o(
"li",{},I(e),o("div",{},t.refused?o("bdi.name",{},t.label):o("a.name",{href:t.href},o("bdi",{},t.label)),t.refused?o("p",
{},t.refused):o("p",{},o("span.value",{},g(t.total))," ",o("span.soft",{},p.what))),o("button.quiet",{type:"button","dat\
a-remove":e,"aria-label":d("remove",{name:t.label})},"×")),F=0;async function N(){let t=++F;y=G(),O.textContent=d("coun\
ting");let e=(await Promise.all(y.map(ut))).map((s,r)=>({...s,at:r})),n=e.filter(s=>!s.refused),a=await Promise.all(p.sections.
map(async s=>{let r=await dt(s,n).catch(l=>l);return r instanceof Error?o("p.note",{},M(r)):mt(s,n,r)}));t===F&&(b("#sub\
jects").replaceChildren(...e.map(ht)),p.sections.forEach((s,r)=>b(`[data-by="${s}"]`).replaceChildren(a[r])),b('[data-by\
="year"]').replaceChildren(...ft(n)),O.textContent=[d("compared",{count:n.length}),...e.map(s=>s.refused??"")].join(" "),
f.disabled=y.length>=p.most,b("#seek-says").textContent=f.disabled?d("full"):d("which",{count:p.most}))}var E=0,z;function C(t){
S.replaceChildren(...t),S.hidden=!t.length}async function bt(){let t=++E,e=f.value.trim();if(!e)return C([]);let n;try{let s=`\
&like=${encodeURIComponent(e)}`,r=Object.keys(p.kinds).filter(c=>c!=="location"||!A),u=(await Promise.all(J(r).map(c=>j(
`/api/projects?mode=count&by=${c}${s}`)))).flatMap(({counts:c})=>Object.entries(c).flatMap(([i,m])=>H(i,m.values)));A&&u.
push(...H("location",await gt(e))),n=u.sort((c,i)=>i.count-c.count)}catch(s){if(t!==E)return;C([o("li",{},M(s))]),O.textContent=
M(s);return}if(t!==E)return;let a=n.length?d("found",{count:n.length}):d("nothing",{word:e});O.textContent=a,C(n.length?
n.map(yt):[o("li",{},a)])}var W=t=>t.normalize("NFD").replace(/\p{M}/gu,"").toLowerCase();async function gt(t){let{data:e}=await(await fetch(
w("/api/projects/filters/location.json"))).json(),n=({value:a})=>L(a)&&` ${W(_("location",a))}`.includes(` ${W(t)}`);return e.
values.filter(n)}function H(t,e){let n=y.filter(([s])=>s===t).map(([,s])=>s);return e.filter(({value:s})=>!n.includes(s)&&
(t!=="location"||L(s))).slice(0,rt).map(({value:s,label:r,count:l})=>({name:t,value:s,label:_(t,s,r),count:l}))}var yt=({
name:t,value:e,label:n,count:a})=>o("li",{},o("button.quiet",{type:"button","data-add":`${t}=${e}`},o("bdi",{},n)," ",o(
"span.soft",{},p.kinds[t])," ",o("span.count",{},g(a))));function Y(){E++,f.value="",C([])}f.addEventListener("input",()=>{
clearTimeout(z),z=setTimeout(bt,ct)});b(".seeker").addEventListener("keydown",t=>{let e=[f,...T("button",S)],n={ArrowDown:1,
ArrowUp:-1}[t.key];t.key==="Escape"?(Y(),f.focus()):n&&e.length>1?(t.preventDefault(),e[(e.indexOf(document.activeElement)+
n+e.length)%e.length].focus()):t.key==="Enter"&&t.target===f&&e[1]?.click()});S.addEventListener("click",t=>{let e=t.target.
closest("[data-add]");e&&(K([...y,e.dataset.add.split("=")]),Y(),f.focus())});b("#subjects").addEventListener("click",t=>{
let e=t.target.closest("[data-remove]");e&&(K(y.filter((n,a)=>a!==+e.dataset.remove)),f.focus())});addEventListener("pop\
state",N);y=G();location.search&&N();
