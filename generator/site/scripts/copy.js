var l=JSON.parse(document.getElementById("page").textContent);document.documentElement.classList.add("js");var y=l.told;
function i(t,e={}){let n=l.texts[t];return(typeof n=="string"?n:e.count===1?n.one:n.other).replace(/\{([a-z_]+)\}/g,(r,o)=>typeof e[o]==
"number"?f(e[o]):e[o])}var f=t=>String(t).replace(/\B(?=(\d{3})+$)/g,l.thousands),x=t=>l.prefix+t,p=(t,e=document)=>e.querySelector(
t),u=(t,e=document)=>[...e.querySelectorAll(t)];function d(t,e={},...n){let[s,...r]=t.split("."),o=document.createElement(
s);r.length&&(o.className=r.join(" "));for(let[c,a]of Object.entries(e))a!==null&&a!==!1&&o.setAttribute(c,a===!0?"":a);
return o.append(...n.flat().filter(c=>c!==null&&c!==!1)),o}var m=2e3;for(let t of u("[data-site]"))t.textContent=location.origin+x("");for(let t of u("[data-copy]")){let e=d("butt\
on.copy.quiet",{type:"button"},i("copy")),n=d("span.unseen",{role:"status"}),s;e.addEventListener("click",async()=>{let[
r,o]=[p("input, textarea",t),p("pre",t)],c=await navigator.clipboard.writeText(r?r.value:o.textContent.trim()).then(()=>"\
copied",()=>"copy_failed");e.textContent=n.textContent=i(c),clearTimeout(s),s=setTimeout(()=>{e.textContent=i("copy"),n.
textContent=""},m)}),t.append(e,n)}
