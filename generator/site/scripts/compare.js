var x=JSON.parse(document.getElementById("page").textContent);document.documentElement.classList.add("js");var p=x.told;
function d(t,e={}){let n=x.texts[t];return(typeof n=="string"?n:e.count===1?n.one:n.other).replace(/\{([a-z_]+)\}/g,(s,r)=>typeof e[r]==
"number"?g(e[r]):e[r])}var g=t=>String(t).replace(/\B(?=(\d{3})+$)/g,x.thousands),$=t=>x.prefix+t,b=(t,e=document)=>e.querySelector(
t),T=(t,e=document)=>[...e.querySelectorAll(t)];function o(t,e={},...n){let[a,...s]=t.split("."),r=document.createElement(
a);s.length&&(r.className=s.join(" "));for(let[l,i]of Object.entries(e))i!==null&&i!==!1&&r.setAttribute(l,i===!0?"":i);
return r.append(...n.flat().filter(l=>l!==null&&l!==!1)),r}var v=class extends Error{constructor(e){super(e?e.detail:""),
this.problem=e}},M,_=0;function et(){let t=_?`?${_}`:"";return M??=import(`${$("/api/search.js")}${t}`).catch(e=>{throw M=
null,_++,e}),M}async function j(t){let e;try{e=await(await et()).ask(t)}catch{throw new v(null)}let n=await e.json().catch(
()=>null);if(!e.ok)throw new v(n);return n}var nt="ABCD",st=8,ot=5,q=3,at=150,[f,S,O]=["#seek","#seek-found","#says"].map(t=>b(t)),L=t=>t.length===2,z=t=>t.flatMap(
(e,n)=>n%q?[]:[t.slice(n,n+q)]),A=t=>t.problem?.detail??d("failed"),{lang:B}=document.documentElement,D=B.startsWith("en")?
null:new Intl.DisplayNames([B],{type:"region"});function P(t,e,n){return t==="location"&&D&&L(e)?D.of(e.toUpperCase()):t===
"status"&&p.status[e]||n}var rt=t=>{let e=100*t,n=e>0&&e<9.95?e.toFixed(1).replace(/\.0$/,""):e.toFixed(0);return p.percent.
replace("{number}",n.replace(".",p.decimal))},y=[];function H(){let t=[...new URLSearchParams(location.search)].flatMap(
([e,n])=>p.kinds[e]?n.split(",").map(a=>[e,a]):[]);return(t.length?t:p.subjects).slice(0,p.most)}function J(t){let e=t.map(
([n,a])=>`${n}=${encodeURIComponent(a)}`);history.pushState(null,"",e.length?`?${e.join("&")}`:location.pathname),I()}async function ct([
t,e]){let n=t==="program"?`/api/programs/slug/${e}.json`:`/api/projects/filters/${t}.json`,{data:a}=await(await fetch($(
n))).json();return a.name??P(t,e,a.values.find(s=>s.value===e).label)}var G=(t,e="")=>`/api/projects?mode=count&${t.map(
([n,a])=>`${n}=${encodeURIComponent(a)}`).join("&")}${e}`;async function lt(t){let[e,n]=t,a=e==="program"?`${p.roots.programs}\
/${n}/`:`${p.roots.projects}/${e.replaceAll("_","-")}/${n}/`,[s,r]=[{subject:t,href:$(a),counts:{}},ct(t).catch(()=>n)];
try{for(let l of z(["year",...p.sections])){let i=await j(G([t],`&by=${l}`));s.total=i.total_items;for(let[c,{values:u,truncated:m}]of Object.
entries(i.counts))s.counts[c]=c===e?null:{truncated:m,values:new Map(u.map(h=>[h.value,h]))}}}catch(l){s.refused=A(l)}return{
...s,label:await r}}async function it(t,e,n){let a=t.counts[e];if(!a)return null;let s=a.values.get(n);return s||!a.truncated?
s?.count??0:(await j(G([t.subject,[e,n]]))).total_items}async function ut(t,e){let n=new Map;for(let{counts:s,total:r}of e)
for(let{value:l,label:i,count:c}of s[t]?.values.values()??[])t==="location"&&!L(l)||n.set(l,{value:l,label:P(t,l,i),most:Math.
max(n.get(l)?.most??0,c/r)});let a=[...n.values()].sort((s,r)=>r.most-s.most||(s.value<r.value?-1:1)).slice(0,st);return Promise.
all(a.map(async s=>({...s,numbers:await Promise.all(e.map(r=>it(r,t,s.value)))})))}function w(t,e,...n){let a=document.createElementNS(
"http://www.w3.org/2000/svg",t);for(let[s,r]of Object.entries(e))a.setAttribute(s,r);return a.append(...n),a}var U=t=>o(
"span.letter",{"aria-hidden":"true"},nt[t]),K=t=>o("thead",{},o("tr",{},o("td"),t.map(e=>o("th.num",{scope:"col"},U(e.at),
o("span.unseen",{},e.label))))),Q=()=>o("p.soft.small",{},d("none"));function pt(t,e,n){if(!n.length)return Q();let a=n[0].
most,s=(i,c)=>{if(i===null)return o("td.num.soft",{title:d("chosen")},"–");let u=c?i/c:0,m=w("rect",{class:"bar",width:`${100*
u/a}%`,height:6}),h=w("svg",{class:"track",width:"100%",height:6,"aria-hidden":"true"},m);return o("td.num",{},o("span.s\
hare",{},rt(u))," ",o("span.soft",{},g(i)),h)},r=`${p.roots.projects}/${t.replaceAll("_","-")}`,l=({value:i,label:c,numbers:u})=>o(
"tr",{},o("th",{scope:"row"},o("a",{href:$(`${r}/${i}/`)},o("bdi",{},c))),u.map((m,h)=>s(m,e[h].total)));return o("table\
.versus",{"aria-labelledby":`by-${t}`},K(e),o("tbody",{},n.map(l)))}function dt(t){let e=t.map(({counts:c})=>new Map([...c.
year?.values.values()??[]].map(u=>[+u.value,u.count]))),n=[...new Set(e.flatMap(c=>[...c.keys()]))].sort((c,u)=>c-u);if(!n.
length)return[Q()];let[a,s]=[n[0],n.at(-1)],r=100/(s-a+1),l=(c,u)=>{let m=Math.max(0,...e[u].values()),h=n.find(k=>e[u].
get(k)===m),X=[...e[u]].map(([k,N])=>{let R=100*N/m,tt={class:"bar",x:`${(k-a)*r}%`,y:`${100-R}%`,width:`${.8*r}%`,height:`${R}\
%`};return w("rect",tt,w("title",{},`${k}: ${g(N)}`))}),Y=`${c.label}: ${m?d("peak",{year:String(h),number:m}):d("none")}`,
Z=w("line",{class:"rule base",x1:0,x2:"100%",y1:"100%",y2:"100%"});return o("div.chart.timeline",{},U(c.at),w("svg",{width:"\
100%",height:56,role:"img","aria-label":Y},...X,Z))},i=c=>o("tr",{},o("th",{scope:"row"},String(c)),e.map(u=>o("td.num",
{},g(u.get(c)??0))));return[...t.map(l),o("p.ends.soft.small",{"aria-hidden":"true"},o("span",{},String(a)),o("span",{},
String(s))),t.some(({counts:c})=>c.year?.truncated)&&o("p.soft.small",{},d("truncated")),o("details.numbers",{},o("summa\
ry",{},d("table")),o("table.versus",{"aria-labelledby":"by-year"},K(t),o("tbody",{},n.map(i))))].filter(Boolean)}var mt=(t,e)=>o(
"li",{},U(e),o("div",{},t.refused?o("bdi.name",{},t.label):o("a.name",{href:t.href},o("bdi",{},t.label)),t.refused?o("p",
{},t.refused):o("p",{},o("span.value",{},g(t.total))," ",o("span.soft",{},p.what))),o("button.quiet",{type:"button","dat\
a-remove":e,"aria-label":d("remove",{name:t.label})},"×")),F=0;async function I(){let t=++F;y=H(),O.textContent=d("coun\
ting");let e=(await Promise.all(y.map(lt))).map((s,r)=>({...s,at:r})),n=e.filter(s=>!s.refused),a=await Promise.all(p.sections.
map(async s=>{let r=await ut(s,n).catch(l=>l);return r instanceof Error?o("p.note",{},A(r)):pt(s,n,r)}));t===F&&(b("#sub\
jects").replaceChildren(...e.map(mt)),p.sections.forEach((s,r)=>b(`[data-by="${s}"]`).replaceChildren(a[r])),b('[data-by\
="year"]').replaceChildren(...dt(n)),O.textContent=[d("compared",{count:n.length}),...e.map(s=>s.refused??"")].join(" "),
f.disabled=y.length>=p.most,b("#seek-says").textContent=f.disabled?d("full"):d("which",{count:p.most}))}var E=0,W;function C(t){
S.replaceChildren(...t),S.hidden=!t.length}async function ft(){let t=++E,e=f.value.trim();if(!e)return C([]);let n;try{let s=`\
&like=${encodeURIComponent(e)}`;n=(await Promise.all(z(Object.keys(p.kinds)).map(i=>j(`/api/projects?mode=count&by=${i}${s}`)))).
flatMap(({counts:i})=>Object.entries(i).flatMap(([c,u])=>ht(c,u.values))).sort((i,c)=>c.count-i.count)}catch(s){if(t!==E)
return;C([o("li",{},A(s))]),O.textContent=A(s);return}if(t!==E)return;let a=n.length?d("found",{count:n.length}):d("noth\
ing",{word:e});O.textContent=a,C(n.length?n.map(bt):[o("li",{},a)])}function ht(t,e){let n=y.filter(([s])=>s===t).map(([
,s])=>s);return e.filter(({value:s})=>!n.includes(s)&&(t!=="location"||L(s))).slice(0,ot).map(({value:s,label:r,count:l})=>({
name:t,value:s,label:P(t,s,r),count:l}))}var bt=({name:t,value:e,label:n,count:a})=>o("li",{},o("button.quiet",{type:"bu\
tton","data-add":`${t}=${e}`},o("bdi",{},n)," ",o("span.soft",{},p.kinds[t])," ",o("span.count",{},g(a))));function V(){
E++,f.value="",C([])}f.addEventListener("input",()=>{clearTimeout(W),W=setTimeout(ft,at)});b(".seeker").addEventListener(
"keydown",t=>{let e=[f,...T("button",S)],n={ArrowDown:1,ArrowUp:-1}[t.key];t.key==="Escape"?(V(),f.focus()):n&&e.length>
1?(t.preventDefault(),e[(e.indexOf(document.activeElement)+n+e.length)%e.length].focus()):t.key==="Enter"&&t.target===f&&
e[1]?.click()});S.addEventListener("click",t=>{let e=t.target.closest("[data-add]");e&&(J([...y,e.dataset.add.split("=")]),
V(),f.focus())});b("#subjects").addEventListener("click",t=>{let e=t.target.closest("[data-remove]");e&&(J(y.filter((n,a)=>a!==
+e.dataset.remove)),f.focus())});addEventListener("popstate",I);y=H();location.search&&I();
