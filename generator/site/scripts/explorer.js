var C=JSON.parse(document.getElementById("page").textContent);document.documentElement.classList.add("js");var m=C.told;
function u(e,t={}){let n=C.texts[e];return(typeof n=="string"?n:t.count===1?n.one:n.other).replace(/\{([a-z_]+)\}/g,(i,r)=>typeof t[r]==
"number"?R(t[r]):t[r])}var R=e=>String(e).replace(/\B(?=(\d{3})+$)/g,C.thousands),p=e=>C.prefix+e,d=(e,t=document)=>t.querySelector(
e),k=(e,t=document)=>[...t.querySelectorAll(e)];function a(e,t={},...n){let[o,...i]=e.split("."),r=document.createElement(
o);i.length&&(r.className=i.join(" "));for(let[c,l]of Object.entries(t))l!==null&&l!==!1&&r.setAttribute(c,l===!0?"":l);
return r.append(...n.flat().filter(c=>c!==null&&c!==!1)),r}var j,q=0;function O(){let e=q?`?${q}`:"";return j??=import(`${p("/api/search.js")}${e}`).catch(t=>{throw j=null,q++,t}),
j}var D=2e3;for(let e of k("[data-site]"))e.textContent=location.origin+p("");for(let e of k("[data-copy]")){let t=a("butt\
on.copy.quiet",{type:"button"},u("copy")),n=a("span.unseen",{role:"status"}),o;t.addEventListener("click",async()=>{let[
i,r]=[d("input, textarea",e),d("pre",e)],c=await navigator.clipboard.writeText(i?i.value:r.textContent.trim()).then(()=>"\
copied",()=>"copy_failed");t.textContent=n.textContent=u(c),clearTimeout(o),o=setTimeout(()=>{t.textContent=u("copy"),n.
textContent=""},D)}),e.append(t,n)}var[y,b,x]=[d("#question"),d("#asked"),d("#result")],J=3,E=0,h=(e,t,n="")=>a("label.field",{},a("span",{},e,n&&a("code.n\
ote",{},n)),t),U=(e,t,n)=>a("select",{name:e},t.map(([o,i])=>a("option",{value:o,selected:o===n},i)));function A(e){let[
t,n]=e.split("?"),o=Object.keys(m.collections).find(s=>m.collections[s].root===t);if(!o)return d("#fields",y).replaceChildren();
let i=m.collections[o],r=new URLSearchParams(n),c=r.get("mode")==="count",l=s=>a("input",{name:s,value:r.get(s),autocomplete:"\
off",spellcheck:"false"}),f=i.filters.map(([s,$])=>{let w=l(s);w.setAttribute("list",`of-${s}`);let L=a("datalist",{id:`\
of-${s}`});return w.addEventListener("focus",()=>M(i,s,L),{once:!0}),[h($,w,s),L]}),v=c?[h(u("by",{most:J}),l("by"),"by"),
h(u("like"),l("like"),"like")]:[h(u("sort"),U("sort",[["",""],...i.sorts.map(s=>[s,s])],r.get("sort")),"sort"),h(u("page"),
l("page"),"page")];d("#fields",y).replaceChildren(h(u("collection"),U("",Object.entries(m.collections).map(([s,{label:$}])=>[
s,$]),o)),h(u("mode"),U("mode",["page","count"].map(s=>[s,u(`mode_${s}`)]),r.get("mode")),"mode"),h(u("words"),l("q"),"q"),
...f.flat(),...v)}async function M({filters:e,root:t},n,o){if(!e.find(([r])=>r===n)[2])return;let{data:i}=await(await fetch(
p(`${t}/filters.json`))).json();o.append(...i[n].values.map(({value:r,label:c,count:l})=>a("option",{value:r},`${c} (${R(
l)})`)))}var P=e=>encodeURIComponent(e).replace(/%(2C|3A)/g,decodeURIComponent),S=(e,t)=>e+t.reduce((n,[o,i],r)=>`${n}${r?
"&":"?"}${o}=${P(i)}`,"");function W(){let e=[...new FormData(y)].filter(([n,o])=>n&&o.trim()),{root:t}=m.collections[d(
"select",y).value];return S(t,e.map(([n,o])=>[n,o.trim()]))}y.addEventListener("input",({target:e})=>{e===b||e.name===void 0||
(e.name===""?b.value=`${m.collections[e.value].root}?mode=page`:b.value=W(),(e.name===""||e.name==="mode")&&A(b.value))});
y.addEventListener("submit",e=>{e.preventDefault(),I(b.value.trim())});function I(e){location.hash.slice(1)===e?_(e):location.
hash=e}addEventListener("hashchange",T);function T(){let e=z();b.value=e,A(e),_(e)}function z(){let e=location.hash.slice(
1);if(!e.startsWith("/"))return m.first;try{return decodeURI(e)}catch{return e}}async function G(e){let[t]=e.split("?"),
n=new URL(p(e),location.origin);if(n.origin!==location.origin||!n.pathname.startsWith(p("/")))throw new Error;return/\.[a-z]+$/.
test(t)&&!e.includes("?")?fetch(n):(await O()).ask(e)}async function _(e){let t=++E;x.setAttribute("aria-busy","true"),performance.
clearResourceTimings();let n=performance.now();try{let o=await G(e),i=await o.arrayBuffer();if(t!==E)return;F(e,o,new TextDecoder().
decode(i),i.byteLength,performance.now()-n)}catch{t===E&&x.replaceChildren(a("p.note.bad",{},u("failed")))}t===E&&x.removeAttribute(
"aria-busy")}function F(e,{status:t,headers:n},o,i,r){let c=null;try{c=JSON.parse(o),o=JSON.stringify(c,null,2)}catch{}let l=performance.
getEntriesByType("resource").filter(({name:s})=>new URL(s).pathname.startsWith(p("/api/"))),f=n.get("location"),v=t<300?
"good":t<400?"quiet":"warn";x.replaceChildren(a("p.address",{},a("span.method",{},"GET"),a("a",{href:p(e)},a("code",{},p(
e)))),a("p",{role:"status"},a(`span.badge.${v}`,{},String(t)),` ${u("came",{bytes:i,took:Math.round(r)})} `,c?.total_items!==
void 0||c?.page?a("strong",{},u("records",{count:c.total_items??c.page.total_items})):""),f?a("p",{},a("button.quiet",{type:"\
button","data-go":f},f)):"",c?.allowed?K(e,c):"",c?.suggestions?.length?N(u("meant"),c.suggestions,s=>H(e,s)):"",a("pre.\
answer",{tabindex:"0","aria-label":u("answer")},a("code",{},o)),l.length?a("details",{},a("summary",{},u("read",{count:l.
length})),a("ul.addresses",{},l.map(({name:s})=>a("li",{},a("code",{},new URL(s).pathname))))):"")}function K(e,{detail:t,
allowed:n}){let[o,i=""]=e.split("?"),r=[...new URLSearchParams(i)],c=s=>t.includes(`"${s}"`),l=r.findIndex(([,s])=>s.split(
/[,:]/).some(c)),f=l>=0;return f||(l=r.findIndex(([s])=>c(s))),N(t,n,s=>{if(!i)return`${o.slice(0,o.lastIndexOf("/"))}/${s}`;
if(l<0)return S(o,[...r.filter(([g])=>g!=="mode"),["mode",s]]);let[$,w]=r[l],L=f?[$,w.split(/([,:])/).map(g=>c(g)?s:g).join(
"")]:[s,w];return S(o,r.map((g,B)=>B===l?L:g))})}var H=(e,t)=>S(e.split("?")[0],[...new URLSearchParams(e.split("?")[1])].
map(([n,o])=>[n,n==="q"?t:o])),N=(e,t,n)=>a("div.note.warn",{},a("p",{},e),a("ul.chips",{},t.map(o=>a("li",{},a("button.\
chip",{type:"button","data-go":n(o)},o)))));x.addEventListener("click",({target:e})=>{let t=e.dataset.go;t&&I(t)});d("#b\
uild").open=matchMedia("(min-width: 45rem)").matches;T();
