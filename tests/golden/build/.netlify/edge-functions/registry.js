const table = {"prefix":"/nordlys","api":"/api/","missing":"/404.html","methods":["GET","HEAD","OPTIONS"],"preflight":{"Access-Control-Allow-Methods":"GET, HEAD, OPTIONS","Access-Control-Allow-Headers":"*","Access-Control-Max-Age":"86400"},"not_allowed":"{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405}","headers":{"Access-Control-Allow-Origin":"*","Cache-Control":"public, max-age=60, must-revalidate","X-Content-Type-Options":"nosniff"},"type":"application/problem+json","longest":{"slug":100,"value":210,"characters":200,"words":8},"patterns":{"slug":"[a-z0-9]+(?:-[a-z0-9]+)*","year":"[0-9]{4}","word":"[a-z]+(?:_[a-z]+)*","month":"[0-9]{4}-(?:0[1-9]|1[0-2])","page":"[1-9][0-9]{0,8}"},"documents":{"/api/dashboard":"/api/dashboard.json"},"files":{"plain":"/page/:page.json","sorted":"/sort/:sort/page/:page.json","by":"/by/:filter/:value/page/:page.json","record":"/slug/:slug.json"},"lists":[{"name":"projects","root":"/api/projects","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","program":"slug","organization":"slug","organization_category":"slug","location":"slug","year":"year","status":"word","sort":"","page":""},"sorts":["name","-year"],"fixed":{},"bare":null},{"name":"programs","root":"/api/programs","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","organization":"slug","organization_category":"slug","type":"slug","kind":"word","location":"slug","year":"year","sort":"","page":""},"sorts":["name","-year","-projects"],"fixed":{},"bare":null},{"name":"organizations","root":"/api/organizations","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","category":"slug","location":"slug","sort":"","page":""},"sorts":["name","-projects","-programs"],"fixed":{},"bare":null},{"name":"events","root":"/api/calendar/events","parameters":{"mode":"","q":"","kind":"word","program":"slug","organization":"slug","month":"month","year":"year","upcoming":"","sort":"","page":""},"sorts":["starts"],"fixed":{"upcoming":{"value":"true","file":"/api/calendar/events/upcoming/page/:page.json"}},"bare":"/api/calendar/events/upcoming/page/1.json"}],"problem":{"type":"/nordlys/api/problems/:code.json","help":"/nordlys/api/index.json"},"problems":{"mode-required":[400,"Add mode=page to the query","A list is answered page by page only, and mode=page says that you know. The whole table is never sent."],"unknown-parameter":[400,"There is no such parameter","Parameters are matched exactly, in lower case and without percent-encoding. The filter list names those of each collection."],"repeated-parameter":[400,"A parameter is given twice","Give each parameter once; several filters are joined with AND."],"invalid-parameter":[400,"A parameter has no valid value","Values are lower-case slugs, years, months or page numbers, never empty; the filter list has them."],"unsupported-combination":[400,"These parameters cannot be combined here","Prepared pages answer one filter, or one sort without a filter. Follow the canonical files, one filter at a time."],"not-found":[404,"There is nothing here","The value, record or page does not exist. The filter list has all values; a list's first page tells its number of pages."]}}
const LONGEST_SHOWN=80
function problem(table,code,detail,allowed){
const published=table.problems[code]
return{status:published[0],problem:code,detail:detail||published[2],allowed:allowed||null}
}
function document(found,table){
return{
type:table.problem.type.replace(':code',found.problem),
title:table.problems[found.problem][1],
status:found.status,
detail:found.detail,
code:found.problem,
allowed:found.allowed,
help:table.problem.help,
}
}
function matches(pattern,value){
return new RegExp(`^(?:${pattern})$`).test(value)
}
function shown(text){
return text.length>LONGEST_SHOWN?`${text.slice(0, LONGEST_SHOWN)}…`:text
}
function fill(template,values){
return template.replace(/:(filter|value|sort|page|slug)\b/g,(_,name)=>values[name])
}
function route(method,path,rawQuery,table){
if(table.methods.indexOf(method)<0)return{status:405,allow:table.methods}
if(method==='OPTIONS')return{status:204,allow:table.methods}
const inside=table.prefix&&path.indexOf(`${table.prefix}/`)===0?path.slice(table.prefix.length):path
for(let i=0;i<table.lists.length;i++){
const list=table.lists[i]
if(inside===list.root)return routeList(rawQuery,list,table)
const slug=inside.indexOf(`${list.root}/`)===0?inside.slice(list.root.length+1):''
if(slug.length<=table.longest.slug&&matches(table.patterns.slug,slug)){
return rawQuery?tooMuch(table):{status:200,file:list.root+fill(table.files.record,{slug:slug}),record:list}
}
}
if(Object.prototype.hasOwnProperty.call(table.documents,inside)){
return rawQuery?tooMuch(table):{status:200,file:table.documents[inside]}
}
if(inside.indexOf(table.api)===0&&!/[^/]\.[a-z0-9]+$/.test(inside))return problem(table,'not-found')
return{status:200,file:inside}
}
function tooMuch(table){
return problem(table,'unknown-parameter','This address takes no parameters.')
}
function routeList(rawQuery,list,table){
if(!rawQuery){
if(list.bare)return{status:200,file:list.bare}
return problem(table,'mode-required',`Ask for a page: ${table.prefix}${list.root}?mode=page`)
}
const pairs=rawQuery.split('&').map((token)=>{
const at=token.indexOf('=')
return at<0?[token,'']:[token.slice(0,at),token.slice(at+1)]
})
const known=Object.keys(list.parameters)
for(let i=0;i<pairs.length;i++){
if(!pairs[i][0])return problem(table,'invalid-parameter','The query has an empty parameter.',known)
if(!pairs[i][1])return problem(table,'invalid-parameter',`The parameter "${shown(pairs[i][0])}" has no value.`,known)
}
for(let i=0;i<pairs.length;i++){
if(known.indexOf(pairs[i][0])<0){
return problem(table,'unknown-parameter',`There is no parameter "${shown(pairs[i][0])}" here.`,known)
}
}
const given={}
for(let i=0;i<pairs.length;i++){
if(given[pairs[i][0]]!==undefined){
return problem(table,'repeated-parameter',`The parameter "${pairs[i][0]}" is given more than once.`)
}
given[pairs[i][0]]=pairs[i][1]
}
if(given.mode!=='page')return problem(table,'mode-required','Only mode=page is answered.',['page'])
const searched=given.q!==undefined
const sorts=searched?['relevance'].concat(list.sorts):list.sorts
const sort=given.sort||sorts[0]
if(sorts.indexOf(sort)<0)return problem(table,'invalid-parameter',`There is no sort "${shown(sort)}" here.`,sorts)
const page=given.page||'1'
if(!matches(table.patterns.page,page))return problem(table,'invalid-parameter','A page is a whole number from 1.')
const filters={}
const names=known.filter((name)=>given[name]!==undefined&&(list.parameters[name]||list.fixed[name]))
for(let i=0;i<names.length;i++){
const name=names[i]
const value=given[name]
const fixed=list.fixed[name]
if(fixed&&value!==fixed.value){
return problem(table,'invalid-parameter',`${name} can only be ${fixed.value}.`,[fixed.value])
}
if(!fixed&&(value.length>table.longest.value||!matches(table.patterns[list.parameters[name]],value))){
return problem(table,'invalid-parameter',`"${name}" has a value that no ${name} can have.`)
}
filters[name]=value
}
const plain=sort===list.sorts[0]
if(searched||names.length>1||(names.length&&!plain)){
const refused=problem(table,'unsupported-combination')
refused.query={collection:list.name,filters:filters,sort:sort,q:searched?given.q:null,page:Number(page)}
return refused
}
const name=names[0]
const values={filter:name,value:filters[name],sort:sort,page:page}
if(list.fixed[name])return{status:200,file:fill(list.fixed[name].file,values)}
return{status:200,file:list.root+fill(table.files[name?'by':plain?'plain':'sorted'],values)}
}
function searchWords(raw,table){
let text
try{
text=decodeURIComponent(raw.replace(/\+/g,' '))
}catch{
return null
}
const folded=text.normalize('NFKD').replace(/\p{M}/gu,(mark)=>(combines(mark)?'':mark)).toLowerCase()
const words=folded.match(/[\p{L}\p{N}]+/gu)??[]
const{characters,words:most}=table.longest
return [...text].length<=characters&&words.length>=1&&words.length<=most?words:null
}
function combines(mark){
const [low,high]=['\u0334','\u0345']
return(mark+low).normalize('NFD')!==mark+low||(high+mark).normalize('NFD')!==high+mark
}
function resolve(method,path,rawQuery,table){
const found=route(method,path,rawQuery,table)
if(found.query&&found.query.q!==null&&searchWords(found.query.q,table)===null){
const{characters,words}=table.longest
return problem(table,'invalid-parameter',`q is percent-encoded text of at most ${characters} characters, with 1 to ${words} words.`)
}
return found
}
async function respond(request,fetchAsset,table,search){
const{pathname,search:query}=new URL(request.url)
const found=resolve(request.method,pathname,query.slice(1),table)
const head=request.method==='HEAD'
if(found.allow)return allowed(found,table)
if(found.query&&search)return search(found.query)
if(found.problem)return refusal(found,table,head)
const asset=await fetchAsset(found.file,{method:found.record?'GET':request.method,headers:request.headers,redirect:'manual'})
const there=asset.ok||asset.status===304
const api=found.file.startsWith(table.api)
if(!there&&asset.status<500&&api)return refusal(problem(table,'not-found'),table,head)
if(!api&&(there||asset.status>=500))return asset
if(!api){
const page=await fetchAsset(table.missing,{method:request.method})
return new Response(head?null:page.body,{status:404,headers:page.headers})
}
const headers=new Headers(asset.headers)
for(const [name,value] of Object.entries(table.headers))headers.set(name,value)
if(there)headers.set('content-location',table.prefix+found.file)
let body=head||asset.status===304?null:asset.body
if(found.record&&asset.ok){
const text=await asset.text()
if(text.slice(0,99).includes('"kind":"moved"')){
const location=`${table.prefix}${found.record.root}/${JSON.parse(text).data.replaced_by}`
return new Response(null,{status:308,headers:{...table.headers,location}})
}
body=head?null:text
}
return new Response(body,{status:asset.status,headers})
}
function refusal(found,table,head){
const headers={...table.headers,'content-type':table.type}
return new Response(head?null:`${JSON.stringify(document(found, table))}\n`,{status:found.status,headers})
}
function allowed(found,table){
const headers={...table.headers,allow:found.allow.join(', ')}
if(found.status===204)return new Response(null,{status:204,headers:{...headers,...table.preflight}})
return new Response(`${table.not_allowed}\n`,{status:found.status,headers:{...headers,'content-type':table.type}})
}

export default (request, context) =>
  respond(request, (path, init) =>
    context.next(new Request(new URL(path, request.url), init), { sendConditionalRequest: true }), table)
// The rules in _redirects answer where this fails.
export const config = { path: ["/api/projects", "/nordlys/api/projects", "/api/programs", "/nordlys/api/programs", "/api/organizations", "/nordlys/api/organizations", "/api/calendar/events", "/nordlys/api/calendar/events", "/api/dashboard", "/nordlys/api/dashboard", "/api/projects/:slug", "/nordlys/api/projects/:slug", "/api/programs/:slug", "/nordlys/api/programs/:slug", "/api/organizations/:slug", "/nordlys/api/organizations/:slug", "/api/calendar/events/:slug", "/nordlys/api/calendar/events/:slug"], excludedPath: ["/api/*.json", "/nordlys/api/*.json", "/api/*.ics", "/nordlys/api/*.ics"], onError: 'bypass' }
