var x=JSON.parse(document.getElementById("page").textContent);document.documentElement.classList.add("js");var p=x.told;
function d(t,e={}){let n=x.texts[t];return(typeof n=="string"?n:e.count===1?n.one:n.other).replace(/\{([a-z_]+)\}/g,(s,r)=>typeof e[r]==
"number"?g(e[r]):e[r])}var g=t=>String(t).replace(/\B(?=(\d{3})+$)/g,x.thousands),$=t=>x.prefix+t,b=(t,e=document)=>e.querySelector(
t),R=(t,e=document)=>[...e.querySelectorAll(t)];function o(t,e={},...n){let[a,...s]=t.split("."),r=document.createElement(
a);s.length&&(r.className=s.join(" "));for(let[i,l]of Object.entries(e))l!==null&&l!==!1&&r.setAttribute(i,l===!0?"":l);
return r.append(...n.flat().filter(i=>i!==null&&i!==!1)),r}var k=class extends Error{constructor(e){super(e?e.detail:""),
this.problem=e}},M,_=0;function Y(){let t=_?`?${_}`:"";return M??=import(`${$("/api/search.js")}${t}`).catch(e=>{throw M=
null,_++,e}),M}async function j(t){let e;try{e=await(await Y()).ask(t)}catch{throw new k(null)}let n=await e.json().catch(
()=>null);if(!e.ok)throw new k(n);return n}var Z="ABCD",tt=8,et=5,T=3,nt=150,[f,S,O]=["#seek","#seek-found","#says"].map(t=>b(t)),N=t=>t.length===2,D=t=>t.flatMap(
(e,n)=>n%T?[]:[t.slice(n,n+T)]),A=t=>t.problem?.detail??d("failed"),st=t=>{let e=100*t,n=e>0&&e<9.95?e.toFixed(1).replace(
/\.0$/,""):e.toFixed(0);return p.percent.replace("{number}",n.replace(".",p.decimal))},y=[];function F(){let t=[...new URLSearchParams(
location.search)].flatMap(([e,n])=>p.kinds[e]?n.split(",").map(a=>[e,a]):[]);return(t.length?t:p.subjects).slice(0,p.most)}
function z(t){let e=t.map(([n,a])=>`${n}=${encodeURIComponent(a)}`);history.pushState(null,"",e.length?`?${e.join("&")}`:
location.pathname),P()}async function ot([t,e]){let n=t==="program"?`/api/programs/slug/${e}.json`:`/api/projects/filter\
s/${t}.json`,{data:a}=await(await fetch($(n))).json();return a.name??a.values.find(s=>s.value===e).label}var H=(t,e="")=>`\
/api/projects?mode=count&${t.map(([n,a])=>`${n}=${encodeURIComponent(a)}`).join("&")}${e}`;async function at(t){let[e,n]=t,
a=e==="program"?`${p.roots.programs}/${n}/`:`${p.roots.projects}/${e.replaceAll("_","-")}/${n}/`,[s,r]=[{subject:t,href:$(
a),counts:{}},ot(t).catch(()=>n)];try{for(let i of D(["year",...p.sections])){let l=await j(H([t],`&by=${i}`));s.total=l.
total_items;for(let[c,{values:u,truncated:m}]of Object.entries(l.counts))s.counts[c]=c===e?null:{truncated:m,values:new Map(
u.map(h=>[h.value,h]))}}}catch(i){s.refused=A(i)}return{...s,label:await r}}async function rt(t,e,n){let a=t.counts[e];if(!a)
return null;let s=a.values.get(n);return s||!a.truncated?s?.count??0:(await j(H([t.subject,[e,n]]))).total_items}async function ct(t,e){
let n=new Map;for(let{counts:s,total:r}of e)for(let{value:i,label:l,count:c}of s[t]?.values.values()??[])t==="location"&&
!N(i)||n.set(i,{value:i,label:l,most:Math.max(n.get(i)?.most??0,c/r)});let a=[...n.values()].sort((s,r)=>r.most-s.most||
(s.value<r.value?-1:1)).slice(0,tt);return Promise.all(a.map(async s=>({...s,numbers:await Promise.all(e.map(r=>rt(r,t,s.
value)))})))}function w(t,e,...n){let a=document.createElementNS("http://www.w3.org/2000/svg",t);for(let[s,r]of Object.entries(
e))a.setAttribute(s,r);return a.append(...n),a}var L=t=>o("span.letter",{"aria-hidden":"true"},Z[t]),J=t=>o("thead",{},o(
"tr",{},o("td"),t.map(e=>o("th.num",{scope:"col"},L(e.at),o("span.unseen",{},e.label))))),W=()=>o("p.soft.small",{},d("n\
one"));function lt(t,e,n){if(!n.length)return W();let a=n[0].most,s=(l,c)=>{if(l===null)return o("td.num.soft",{title:d(
"chosen")},"–");let u=c?l/c:0,m=w("rect",{class:"bar",width:`${100*u/a}%`,height:6}),h=w("svg",{class:"track",width:"1\
00%",height:6,"aria-hidden":"true"},m);return o("td.num",{},o("span.share",{},st(u))," ",o("span.soft",{},g(l)),h)},r=`${p.
roots.projects}/${t.replaceAll("_","-")}`,i=({value:l,label:c,numbers:u})=>o("tr",{},o("th",{scope:"row"},o("a",{href:$(
`${r}/${l}/`)},o("bdi",{},c))),u.map((m,h)=>s(m,e[h].total)));return o("table.versus",{"aria-labelledby":`by-${t}`},J(e),
o("tbody",{},n.map(i)))}function it(t){let e=t.map(({counts:c})=>new Map([...c.year?.values.values()??[]].map(u=>[+u.value,
u.count]))),n=[...new Set(e.flatMap(c=>[...c.keys()]))].sort((c,u)=>c-u);if(!n.length)return[W()];let[a,s]=[n[0],n.at(-1)],
r=100/(s-a+1),i=(c,u)=>{let m=Math.max(0,...e[u].values()),h=n.find(v=>e[u].get(v)===m),K=[...e[u]].map(([v,U])=>{let I=100*
U/m,X={class:"bar",x:`${(v-a)*r}%`,y:`${100-I}%`,width:`${.8*r}%`,height:`${I}%`};return w("rect",X,w("title",{},`${v}: ${g(
U)}`))}),Q=`${c.label}: ${m?d("peak",{year:String(h),number:m}):d("none")}`,V=w("line",{class:"rule base",x1:0,x2:"100%",
y1:"100%",y2:"100%"});return o("div.chart.timeline",{},L(c.at),w("svg",{width:"100%",height:56,role:"img","aria-label":Q},
...K,V))},l=c=>o("tr",{},o("th",{scope:"row"},String(c)),e.map(u=>o("td.num",{},g(u.get(c)??0))));return[...t.map(i),o("\
p.ends.soft.small",{"aria-hidden":"true"},o("span",{},String(a)),o("span",{},String(s))),t.some(({counts:c})=>c.year?.truncated)&&
o("p.soft.small",{},d("truncated")),o("details.numbers",{},o("summary",{},d("table")),o("table.versus",{"aria-labelledby":"\
by-year"},J(t),o("tbody",{},n.map(l))))].filter(Boolean)}var ut=(t,e)=>o("li",{},L(e),o("div",{},t.refused?o("bdi.name",
{},t.label):o("a.name",{href:t.href},o("bdi",{},t.label)),t.refused?o("p",{},t.refused):o("p",{},o("span.value",{},g(t.total)),
" ",o("span.soft",{},p.what))),o("button.quiet",{type:"button","data-remove":e,"aria-label":d("remove",{name:t.label})},
"×")),q=0;async function P(){let t=++q;y=F(),O.textContent=d("counting");let e=(await Promise.all(y.map(at))).map((s,r)=>({
...s,at:r})),n=e.filter(s=>!s.refused),a=await Promise.all(p.sections.map(async s=>{let r=await ct(s,n).catch(i=>i);return r instanceof
Error?o("p.note",{},A(r)):lt(s,n,r)}));t===q&&(b("#subjects").replaceChildren(...e.map(ut)),p.sections.forEach((s,r)=>b(
`[data-by="${s}"]`).replaceChildren(a[r])),b('[data-by="year"]').replaceChildren(...it(n)),O.textContent=[d("compared",{
count:n.length}),...e.map(s=>s.refused??"")].join(" "),f.disabled=y.length>=p.most,b("#seek-says").textContent=f.disabled?
d("full"):d("which",{count:p.most}))}var E=0,B;function C(t){S.replaceChildren(...t),S.hidden=!t.length}async function pt(){
let t=++E,e=f.value.trim();if(!e)return C([]);let n;try{let s=`&like=${encodeURIComponent(e)}`;n=(await Promise.all(D(Object.
keys(p.kinds)).map(l=>j(`/api/projects?mode=count&by=${l}${s}`)))).flatMap(({counts:l})=>Object.entries(l).flatMap(([c,u])=>dt(
c,u.values))).sort((l,c)=>c.count-l.count)}catch(s){if(t!==E)return;C([o("li",{},A(s))]),O.textContent=A(s);return}if(t!==
E)return;let a=n.length?d("found",{count:n.length}):d("nothing",{word:e});O.textContent=a,C(n.length?n.map(mt):[o("li",{},
a)])}function dt(t,e){let n=y.filter(([s])=>s===t).map(([,s])=>s);return e.filter(({value:s})=>!n.includes(s)&&(t!=="loc\
ation"||N(s))).slice(0,et).map(s=>({...s,name:t}))}var mt=({name:t,value:e,label:n,count:a})=>o("li",{},o("button.quiet",
{type:"button","data-add":`${t}=${e}`},o("bdi",{},n)," ",o("span.soft",{},p.kinds[t])," ",o("span.count",{},g(a))));function G(){
E++,f.value="",C([])}f.addEventListener("input",()=>{clearTimeout(B),B=setTimeout(pt,nt)});b(".seeker").addEventListener(
"keydown",t=>{let e=[f,...R("button",S)],n={ArrowDown:1,ArrowUp:-1}[t.key];t.key==="Escape"?(G(),f.focus()):n&&e.length>
1?(t.preventDefault(),e[(e.indexOf(document.activeElement)+n+e.length)%e.length].focus()):t.key==="Enter"&&t.target===f&&
e[1]?.click()});S.addEventListener("click",t=>{let e=t.target.closest("[data-add]");e&&(z([...y,e.dataset.add.split("=")]),
G(),f.focus())});b("#subjects").addEventListener("click",t=>{let e=t.target.closest("[data-remove]");e&&(z(y.filter((n,a)=>a!==
+e.dataset.remove)),f.focus())});addEventListener("popstate",P);y=F();location.search&&P();
