var{texts:i,weekdays:O,months:S,date:U}=JSON.parse(document.getElementById("times").textContent),k=document.documentElement.
lang,d=new Intl.DateTimeFormat().resolvedOptions().timeZone,u=new Intl.RelativeTimeFormat(k,{numeric:"auto"}),m=6e4,w=60*
m,D=24*w,c=t=>document.querySelectorAll(t),l=(t,n)=>t.replace(/\{(\w+)\}/g,(e,a)=>n[a]);function $(t,n){let e={year:"num\
eric",month:"2-digit",day:"numeric",hour:"2-digit",minute:"2-digit",hourCycle:"h23",timeZone:n},a=new Intl.DateTimeFormat(
"en",e).formatToParts(t),{day:r,month:o,year:s,hour:g,minute:x}=Object.fromEntries(a.map(({type:A,value:I})=>[A,I])),M=new Date(
Date.UTC(s,o-1,r)).getUTCDay();return{day:r,month:S[o],year:s,weekday:O[(M+6)%7],time:`${g}:${x}`}}function p(t,n){let e=$(
t,n);return`${e.weekday}, ${l(U,e)}, ${e.time}`}function z(){for(let t of c("time[data-zone]")){let n=new Date(t.dateTime),
e="short"in t.dataset,a=!1;try{a=p(n,d)===p(n,t.dataset.zone==="AoE"?"Etc/GMT+12":t.dataset.zone)}catch{}if(e&&a)continue;
let r={...$(n,d),when:p(n,d),zone:d.replaceAll("_"," ")},o=e?null:t.parentElement.querySelector(".here");o||(o=document.
createElement("span"),t.parentElement.append(" ",o)),o.className="here",o.textContent=l(a?i.same:e?i.yours:i.own,r)}}var f=t=>Date.
UTC(t.getFullYear(),t.getMonth(),t.getDate()),E=t=>t.length===10,h=(t,n)=>(Date.parse(`${n}T00:00:00Z`)-f(t))/D;function T(t,n){
if(E(n))return u.format(h(t,n),"day");let e=new Date(n),a=e-t;return Math.abs(a)<w?u.format(Math.ceil(a/m),"minute"):Math.
abs(a)<D?u.format(Math.trunc(a/w),"hour"):u.format((f(e)-f(t))/D,"day")}var y=(t,n,e)=>E(n)?h(t,n)<(e?0:1):new Date(n)<=
t;function F(t,{kind:n,starts:e,ends:a}){if(y(t,a,!0))return i.over;let[r,o]={application_window:["opens","closes"],deadline:[
"due","due"]}[n]??["starts","ends"],s=e&&e!==a&&!y(t,e,!1),g=s||e===a?r:o;return n==="event"&&E(a)&&!s&&h(t,e)<=0?h(t,a)>
0?l(i.ends,{in:T(t,a)}):i.today:l(i[g],{in:T(t,s?e:a)})}function _(t,n){t.textContent!==n&&(t.textContent=n),t.hidden=!1}
function b(){let t=new Date;for(let e of c("[data-countdown]"))_(e,F(t,e.dataset)),e.classList.toggle("is-over",y(t,e.dataset.
ends,!0));for(let e of c("[data-over]"))e.hidden=!y(t,e.dataset.ends,!0);for(let e of c("time[data-ago]"))e.dataset.day??=
e.textContent,e.textContent=`${e.dataset.day} (${T(t,e.dateTime)})`;let n=new Date(f(t)).toISOString().slice(0,10);for(let e of c(
".day time"))e.dateTime===n?e.parentElement.setAttribute("aria-current","date"):e.parentElement.removeAttribute("aria-cu\
rrent")}z();b();var C;function v(){clearTimeout(C),!document.hidden&&(C=setTimeout(()=>{b(),v()},m-Date.now()%m+50))}document.
addEventListener("visibilitychange",()=>{document.hidden||b(),v()});v();
