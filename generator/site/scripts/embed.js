var h=JSON.parse(document.getElementById("page").textContent);document.documentElement.classList.add("js");var m=h.told;
function g(e,t={}){let n=h.texts[e];return(typeof n=="string"?n:t.count===1?n.one:n.other).replace(/\{([a-z_]+)\}/g,(l,o)=>typeof t[o]==
"number"?y(t[o]):t[o])}var y=e=>String(e).replace(/\B(?=(\d{3})+$)/g,h.thousands),i=e=>h.prefix+e,u=(e,t=document)=>t.querySelector(
e);function r(e,t={},...n){let[c,...l]=e.split("."),o=document.createElement(c);l.length&&(o.className=l.join(" "));for(let[
p,d]of Object.entries(t))d!==null&&d!==!1&&o.setAttribute(p,d===!0?"":d);return o.append(...n.flat().filter(p=>p!==null&&
p!==!1)),o}var f=class extends Error{constructor(t){super(t?t.detail:""),this.problem=t}},w,x=0;function j(){let e=x?`?${x}`:
"";return w??=import(`${i("/api/search.js")}${e}`).catch(t=>{throw w=null,x++,t}),w}async function $(e){let t;try{t=await(await j()).
ask(e)}catch{throw new f(null)}let n=await t.json().catch(()=>null);if(!t.ok)throw new f(n);return n}var a=new URLSearchParams(location.search),s=m.collections[a.get("collection")??"projects"];a.delete("collection");var k=({
slug:e,name:t,summary:n,year:c,starts_local:l,ends_local:o})=>r("li",{},r("div.what",{},r("a.name",{href:i(`${s.pages}${e}\
/`),dir:"auto"},t),n&&r("p",{dir:"auto"},n)),r("div.aside",{},String(c??(l??o)?.slice(0,10)??"")));function b(){let[[e,t]=[],
...n]=[...a];return!n.length&&s.filters.includes(e)&&/^[a-z0-9-]+$/.test(t)&&(e!=="location"||t.length===2)?i(`${s.pages}${e.
replaceAll("_","-")}/${t}/`):i(s.pages)+(a.size?`?${a}`:"")}async function S(){if(!s)throw new Error(g("unknown",{names:Object.
keys(m.collections).join(", ")}));let{data:e,page:t}=await $(`${s.root}?mode=page&${a}`),n=t.total_items;u("#title").textContent=
s.label,u("#says").replaceChildren(r("a",{href:b()},g("all",{count:n,things:n===1?s.one:s.many}))),u("#rows").replaceChildren(
...e.slice(0,m.most).map(k))}S().catch(e=>{u("#says").textContent=e.problem?.detail??(s?g("failed"):e.message)});
