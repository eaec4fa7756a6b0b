const table = {"prefix":"/nordlys","api":"/api/","methods":["GET","HEAD","OPTIONS"],"preflight":{"Access-Control-Allow-Methods":"GET, HEAD, OPTIONS","Access-Control-Allow-Headers":"*","Access-Control-Max-Age":"86400"},"not_allowed":"{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405}","headers":{"Access-Control-Allow-Origin":"*","Access-Control-Expose-Headers":"ETag, Content-Location, Retry-After, Link","Cache-Control":"public, max-age=60, must-revalidate","X-Content-Type-Options":"nosniff"},"type":"application/problem+json","longest":{"slug":100,"value":210},"patterns":{"slug":"[a-z0-9]+(?:-[a-z0-9]+)*","year":"[0-9]{4}","word":"[a-z]+(?:_[a-z]+)*","month":"[0-9]{4}-(?:0[1-9]|1[0-2])","page":"[1-9][0-9]{0,8}"},"documents":{"/api/dashboard":"/api/dashboard.json"},"files":{"plain":"/page/:page.json","sorted":"/sort/:sort/page/:page.json","by":"/by/:filter/:value/page/:page.json","record":"/slug/:slug.json","filters":"/filters.json","values":"/filters/:filter.json"},"lists":[{"name":"projects","root":"/api/projects","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","program":"slug","organization":"slug","organization_category":"slug","location":"slug","year":"year","status":"word","sort":"","page":""},"sorts":["name","-year"],"fixed":{},"bare":null},{"name":"programs","root":"/api/programs","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","organization":"slug","organization_category":"slug","type":"slug","kind":"word","location":"slug","year":"year","sort":"","page":""},"sorts":["name","-year","-projects"],"fixed":{},"bare":null},{"name":"organizations","root":"/api/organizations","parameters":{"mode":"","q":"","tag_field":"slug","tag_technology":"slug","category":"slug","location":"slug","sort":"","page":""},"sorts":["name","-projects","-programs"],"fixed":{},"bare":null},{"name":"events","root":"/api/calendar/events","parameters":{"mode":"","q":"","kind":"word","program":"slug","organization":"slug","month":"month","year":"year","upcoming":"","sort":"","page":""},"sorts":["starts"],"fixed":{"upcoming":{"value":"true","file":"/api/calendar/events/upcoming/page/:page.json"}},"bare":"/api/calendar/events/upcoming/page/1.json"}],"problem":{"type":"/nordlys/api/problems/:code.json","help":"/nordlys/api/index.json"},"problems":{"mode-required":[400,"Add mode=page to the query","A list is answered page by page only, and mode=page says that you know. The whole table is never sent."],"unknown-parameter":[400,"There is no such parameter","Parameters are matched exactly, in lower case and without percent-encoding. The filter list names those of each collection."],"repeated-parameter":[400,"A parameter is given twice","Give each parameter once; several filters are joined with AND."],"invalid-parameter":[400,"A parameter has no valid value","Values are lower-case slugs, years, months or page numbers, never empty; the filter list has them."],"unsupported-combination":[400,"These parameters cannot be combined here","Prepared pages answer one filter, or one sort without a filter. Follow the canonical files, one filter at a time."],"not-found":[404,"There is nothing here","The value, record or page does not exist. The filter list has all values; a list's first page tells its number of pages."]},"missing":"/404.html","json":"application/json","text":{"characters":200,"words":8},"schema_version":"1.0","kinds":{"projects":"project","programs":"program","organizations":"organization","events":"event"},"unavailable":{"status":503,"title":"Service Unavailable","headers":{"Cache-Control":"no-store","Retry-After":"5"}},"index":{"format":1,"prefix":3,"most":{"reads":50,"bytes":33554432,"seconds":10},"key":"/:filter/:value","manifest":"/api/index/:collection/manifest.json","keys":"/api/index/:collection/keys/:number.bin","numbers":"/api/index/:collection/sort/:sort/:number.bin","rows":"/api/index/:collection/rows/:number.txt","blocks":"/api/index/:collection/blocks/:number.txt"}}
const LONGEST_SHOWN=80
function problem(table,code,detail,allowed){const published=table.problems[code]
return{status:published[0],problem:code,detail:detail||published[2],allowed:allowed||null}}
function document(found,table){return{type:table.problem.type.replace(':code',found.problem),title:table.problems[found.problem][1],status:found.status,detail:found.detail,code:found.problem,allowed:found.allowed,help:table.problem.help,}}
function matches(pattern,value){return new RegExp(`^(?:${pattern})$`).test(value)}
function shown(text){return text.length>LONGEST_SHOWN?`${text.slice(0, LONGEST_SHOWN)}…`:text}
function fill(template,values){return template.replace(/:([a-z]+)/g,(_,name)=>values[name])}
function route(method,path,rawQuery,table,readText){if(table.methods.indexOf(method)<0)return{status:405,allow:table.methods}
if(method==='OPTIONS')return{status:204,allow:table.methods}
const inside=table.prefix&&path.indexOf(`${table.prefix}/`)===0?path.slice(table.prefix.length):path
for(let i=0;i<table.lists.length;i++){const list=table.lists[i]
if(inside===list.root)return routeList(rawQuery,list,table,readText)
const slug=inside.indexOf(`${list.root}/`)===0?inside.slice(list.root.length+1):''
if(slug.length<=table.longest.slug&&matches(table.patterns.slug,slug)){if(rawQuery)return tooMuch(inside,table)
return{status:200,file:list.root+fill(table.files.record,{slug:slug}),record:list,slug:slug}}}
if(Object.prototype.hasOwnProperty.call(table.documents,inside)){return rawQuery?tooMuch(inside,table):{status:200,file:table.documents[inside]}}
if(inside.indexOf(table.api)===0&&!/[^/]\.[a-z0-9]+$/.test(inside))return problem(table,'not-found')
return{status:200,file:inside}}
function tooMuch(path,table){return problem(table,'unknown-parameter',`${table.prefix}${path} takes no parameters.`)}
function routeList(rawQuery,list,table,readText){if(!rawQuery){if(list.bare)return{status:200,file:list.bare}
return problem(table,'mode-required',`Ask for a page: ${table.prefix}${list.root}?mode=page`)}
const pairs=rawQuery.split('&').map((token)=>{const at=token.indexOf('=')
return at<0?[token,'']:[token.slice(0,at),token.slice(at+1)]})
const known=Object.keys(list.parameters)
for(let i=0;i<pairs.length;i++){if(!pairs[i][0])return problem(table,'invalid-parameter','The query has an empty parameter.',known)
if(!pairs[i][1])return problem(table,'invalid-parameter',`The parameter "${shown(pairs[i][0])}" has no value.`,known)}
for(let i=0;i<pairs.length;i++){if(known.indexOf(pairs[i][0])<0){return problem(table,'unknown-parameter',`There is no parameter "${shown(pairs[i][0])}" here.`,known)}}
const given={}
for(let i=0;i<pairs.length;i++){if(given[pairs[i][0]]!==undefined){return problem(table,'repeated-parameter',`The parameter "${pairs[i][0]}" is given more than once.`)}
given[pairs[i][0]]=pairs[i][1]}
if(given.mode!=='page')return problem(table,'mode-required','Only mode=page is answered.',['page'])
const searched=given.q!==undefined
const read=searched&&readText?readText(given.q):{text:searched?given.q:null}
if(read.fault)return problem(table,'invalid-parameter',read.fault)
const sorts=searched?['relevance'].concat(list.sorts):list.sorts
const sort=given.sort||sorts[0]
if(sorts.indexOf(sort)<0)return problem(table,'invalid-parameter',`There is no sort "${shown(sort)}" here.`,sorts)
const page=given.page||'1'
if(!matches(table.patterns.page,page))return problem(table,'invalid-parameter','A page is a whole number from 1.')
const filters={}
const names=known.filter((name)=>given[name]!==undefined&&(list.parameters[name]||list.fixed[name]))
for(let i=0;i<names.length;i++){const name=names[i]
const value=given[name]
const fixed=list.fixed[name]
if(fixed&&value!==fixed.value){return problem(table,'invalid-parameter',`${name} can only be ${fixed.value}.`,[fixed.value])}
if(!fixed&&(value.length>table.longest.value||!matches(table.patterns[list.parameters[name]],value))){return problem(table,'invalid-parameter',`"${name}" has a value that no ${name} can have.`)}
filters[name]=value}
const plain=sort===list.sorts[0]
const query={collection:list.name,filters:filters,sort:given.sort||'',order:sort,q:read.text,page:Number(page)}
if(searched||names.length>1||(names.length&&!plain)){const refused=problem(table,'unsupported-combination')
refused.query=query
return refused}
const name=names[0]
const values={filter:name,value:filters[name],sort:sort,page:page}
if(list.fixed[name])return{status:200,file:fill(list.fixed[name].file,values),query:query}
return{status:200,file:list.root+fill(table.files[name?'by':plain?'plain':'sorted'],values),query:query}}
const FOLDS=[[0xdf,0xdf,'ss'],[0x3c2,0x3c2,1],[0x13a0,0x13f5,0],[0x13f8,0x13fd,-8],[0x1c80,0x1c80,-6222],[0x1c81,0x1c81,-6221],[0x1c82,0x1c82,-6212],[0x1c83,0x1c84,-6210],[0x1c85,0x1c85,-6211],[0x1c86,0x1c86,-6204],[0x1c87,0x1c87,-6180],[0x1c88,0x1c88,35267],[0x1e9e,0x1e9e,'ss'],[0xab70,0xabbf,-38864],]
function fold(text){if(!/[^\0-\x7f]/.test(text))return text.toLowerCase()
const bare=text.normalize('NFKD').replace(/\p{M}/gu,(mark)=>(combines(mark)?'':mark))
return Array.from(bare,foldCase).join('')}
function foldCase(character){const code=character.codePointAt(0)
const found=FOLDS.find(([first,last])=>first<=code&&code<=last)
if(!found)return character.toLowerCase()
return typeof found[2]==='string'?found[2]:String.fromCodePoint(code+found[2])}
function combines(mark){const [low,high]=['\u0334','\u0345']
return(mark+low).normalize('NFD')!==mark+low||(high+mark).normalize('NFD')!==high+mark}
function wordsOf(text){return fold(text).match(/[\p{L}\p{N}]+/gu)??[]}
function textOf(raw,{characters,words}){const broken=/%(?![0-9A-Fa-f]{2})/g
let text
try{text=decodeURIComponent(raw.replace(/\+/g,' ').replace(broken,'%25'))}catch{return{fault:'q is not percent-encoded UTF-8.'}}
if(raw.search(broken)>=0||[...text].length>characters){return{fault:`q is percent-encoded text of at most ${characters} characters.`}}
const count=wordsOf(text).length
return count>=1&&count<=words?{text}:{fault:`q has 1 to ${words} words of letters and digits.`}}
function resolve(method,path,rawQuery,table){return route(method,path,rawQuery,table,(raw)=>textOf(raw,table.text))}
async function respond(request,fetchAsset,table,search){const{pathname,search:query}=new URL(request.url)
const found=resolve(request.method,pathname,query.slice(1),table)
const head=request.method==='HEAD'
if(found.allow)return allowed(found,table)
if(found.problem&&found.query&&search){const{body,...refused}=await search(found.query,(path)=>bytesOf(path,request,fetchAsset),table)
if(!body)return refusal(refused,table,head)
return new Response(head?null:body,{headers:{...table.headers,'content-type':table.json}})}
if(found.problem)return refusal(found,table,head)
const method=found.record?'GET':request.method
const asset=await fetchAsset(found.file,{method,headers:request.headers,redirect:'manual'})
const there=asset.ok||asset.status===304
const api=found.file.startsWith(table.api)
if(!there&&asset.status<500&&api){return refusal(await absent(found,(path)=>bytesOf(path,request,fetchAsset),table),table,head)}
if(!api&&(there||asset.status>=500))return asset
if(!api){const page=await fetchAsset(table.missing,{method:request.method})
return new Response(head?null:page.body,{status:404,headers:page.headers})}
const headers=new Headers(asset.headers)
for(const [name,value] of Object.entries(table.headers))headers.set(name,value)
if(there)headers.set('content-location',table.prefix+found.file)
let body=head||asset.status===304?null:asset.body
if(found.record&&asset.ok){const text=await asset.text()
if(text.slice(0,99).includes('"kind":"moved"')){const location=`${table.prefix}${found.record.root}/${JSON.parse(text).data.replaced_by}`
return new Response(null,{status:308,headers:{...table.headers,location}})}
body=head?null:text}
return new Response(body,{status:asset.status,headers})}
async function bytesOf(path,request,fetchAsset){const headers=new Headers(request.headers)
const conditions=['if-match','if-none-match','if-modified-since','if-unmodified-since','if-range']
for(const name of [...conditions,'range','accept-encoding'])headers.delete(name)
const asset=await fetchAsset(path,{headers})
const body=await asset.arrayBuffer()
return asset.ok?new Uint8Array(body):null}
async function absent(found,read,table){if(found.record)return problem(table,'not-found',`There is no ${table.kinds[found.record.name]} "${found.slug}".`)
if(!found.query)return problem(table,'not-found')
const{collection,filters,page}=found.query
const first=await read(found.file.replace(/[0-9]+(?=\.json$)/,'1'))
if(first)return pastTheEnd(page,JSON.parse(new TextDecoder().decode(first)).page.total_pages,table)
return unknownValue(collection,...Object.entries(filters)[0],table)}
function pastTheEnd(page,pages,table){return problem(table,'not-found',`There is no page ${page}: the list has ${pages} page${pages === 1 ? '' : 's'}.`)}
function unknownValue(collection,filter,value,table){const{root}=table.lists.find(({name})=>name===collection)
const values=table.prefix+root+fill(table.files.values,{filter})
return problem(table,'not-found',`No ${table.kinds[collection]} has the ${filter} "${value}"; ${values} lists its values.`)}
function refusal(found,table,head){const headers={...table.headers,...found.headers,'content-type':table.type}
const{status,title,detail}=found
const body=found.problem?document(found,table):{type:'about:blank',title,status,detail}
return new Response(head?null:`${JSON.stringify(body)}\n`,{status,headers})}
function allowed(found,table){const headers={...table.headers,allow:found.allow.join(', ')}
if(found.status===204)return new Response(null,{status:204,headers:{...headers,...table.preflight}})
return new Response(`${table.not_allowed}\n`,{status:found.status,headers:{...headers,'content-type':table.type}})}
const MIXED=Symbol('a file is not the one that the manifest means')
const [encoder,decoder]=[new TextEncoder(),new TextDecoder()]
const MOST_KEPT=16 * 2 ** 20
const [kept,manifests]=[new Map(),new Map()]
let keptBytes=0
async function search(query,read,table){for(let attempt=1;attempt<=2;attempt++){try{return{body:await answer(new Reader(query,read,table))}}catch(error){if(error.status)return error
if(error!==MIXED)throw error}}
return unavailable('The registry is being replaced; ask again in a moment.',table)}
function unavailable(detail,table){return{...table.unavailable,detail}}
class Reader{constructor(query,read,table){const{most}=table.index
Object.assign(this,{query,read,table,most,reads:1,bytes:0,until:Date.now()+most.seconds * 1000})}
path(name,number){return fill(this.table.index[name],{collection:this.query.collection,sort:this.query.order,number})}
async one(path){try{return await this.read(path)}catch{throw unavailable('The search index cannot be read.',this.table)}}
async manifest(){const{collection}=this.query
const raw=await this.one(this.path('manifest'))
if(!raw)throw unavailable(`There is no search index of ${collection} here.`,this.table)
const text=decoder.decode(raw)
let found=manifests.get(collection)
if(!found||found.text!==text){found={text,...this.parsed(text)}
manifests.set(collection,found)}
return found}
parsed(text){const{format}=this.table.index
let said='The search index is damaged.'
try{const found=JSON.parse(text)
if(found.kind==='search_index'&&found.format===format){for(const [name,packed] of Object.entries(found.checks))found.checks[name]=numbersOf(unpacked(packed),4)
found.split=new Set(found.split)
return found}
if(found.kind&&found.format)said=`The search index has the format ${found.format}; this program reads ${format}.`}catch{}
throw unavailable(said,this.table)}
async files(wanted,expected=0){this.reads+=wanted.length
this.bound('reads',this.reads)
this.bound('bytes',this.bytes+expected)
const found=await Promise.all(wanted.map(([path,check])=>this.file(path,check)))
this.bytes+=found.reduce((sum,data)=>sum+data.length,0)
if(Date.now()>this.until)throw unavailable(`The answer took longer than ${this.most.seconds} seconds.`,this.table)
return new Map(wanted.map(([path],i)=>[path,found[i]]))}
bound(what,needed){if(needed<=this.most[what])return
const bound=`This query needs ${needed} ${what}, and at most ${this.most[what]} are allowed.`
throw problem(this.table,'invalid-parameter',`${bound} Ask with fewer or longer words, or fewer filters.`)}
async file(path,check){const key=`${path} ${check}`
let data=kept.get(key)
if(!data){data=await this.one(path)
if(!data||crc32(path.endsWith('.json')?rowsIn(data):data)!==check)throw MIXED
keptBytes+=kept.has(key)?0:data.length}
kept.delete(key)
kept.set(key,data)
for(const [oldest,{length}] of kept){if(keptBytes<=MOST_KEPT)break
kept.delete(oldest)
keptBytes -=length}
return data}}
async function answer(reader){const{query,table}=reader
const manifest=await reader.manifest()
const matches=await ordered(await matching(reader,manifest),reader,manifest)
const{size}=manifest
const pages=Math.max(1,Math.ceil(matches.length / size))
if(query.page>pages)throw pastTheEnd(query.page,pages,table)
const rows=await rowsAt(matches.subarray((query.page - 1)* size,query.page * size),reader,manifest)
return listBytes(query,rows,matches.length,pages,manifest,table)}
async function matching(reader,manifest){const{query,table}=reader
const shard=(group)=>crc32(encoder.encode(group))&(manifest.shards - 1)
const filters=Object.entries(query.filters)
const keys=filters.map(([filter,value])=>fill(table.index.key,{filter,value}))
const words=[...new Set(query.q===null?[]:wordsOf(query.q))]
const conditions=keys.map((key)=>[shard(key),key,false])
conditions.push(...words.map((word)=>place(word,shard,manifest.split,table)))
const numbers=[...new Set(conditions.map(([number])=>number))]
const shards=await reader.files(numbers.map((number)=>[reader.path('keys',number),manifest.checks.keys[number]]))
const found=conditions.map(([number,key,more])=>{return lookUp(shards.get(reader.path('keys',number)),encoder.encode(key),more,manifest.count)})
filters.forEach(([name,value],i)=>{if(!found[i])throw unknownValue(query.collection,name,value,table)})
if(found.includes(null))return new Uint32Array(0)
const ofWords=found.slice(filters.length).map(({ranks})=>ranks)
const [least,...others]=found.sort((a,b)=>a.count - b.count)
const matches=new Uint32Array(least.count)
for(let p=0,i=0;i<matches.length;p++)if(least.ranks[p])matches[i++]=p
let count=matches.length
for(const{ranks}of others){const before=count
count=0
for(let i=0;i<before;i++)if(ranks[matches[i]])matches[count++]=matches[i]}
const all=matches.subarray(0,count)
if(query.order!=='relevance')return all
return sorted(all,(p)=>ofWords.reduce((sum,ranks)=>sum+ranks[p],0),3 * ofWords.length)}
function place(word,shard,split,table){const letters=[...word]
let end=table.index.prefix
if(letters.length<end)return [shard(word),word,false]
const group=()=>letters.slice(0,end).join('')
while(split.has(group())&&end<letters.length)end+=1
return split.has(group())?[shard(group()),`*${word}`,false]:[shard(group()),word,true]}
function lookUp(data,wanted,more,records){const ranks=new Uint8Array(records)
let [at,count,known]=[0,0,false]
const varint=()=>{let number=data[at]&127
for(let shift=7;data[at++]>127;shift+=7)number+=(data[at]&127)<<shift
return number}
const mark=(p,rank)=>{if(!ranks[p])count++
if(!ranks[p]||ranks[p]>rank)ranks[p]=rank}
while(at<data.length){const size=varint()
const key=at
at+=size
const end=varint()+at
let same=size===wanted.length||(more&&size>wanted.length)
for(let i=0;same&&i<wanted.length;i++)same=data[key+i]===wanted[i]
known||=same
while(same&&at<end){const rank=(data[at]&3)+1
const width=data[at++]>>2
const last=varint()*(width||1)+at
for(let p=0;width&&at<last;at+=width){p+=data[at]
if(width>1)p+=data[at+1]<<8
if(width>2)p+=(data[at+2]<<16)+(data[at+3]<<24)
mark(p,rank)}
for(let first=0;at<last;first+=8){for(let p=first,bits=data[at++];bits;p++,bits>>=1)if(bits&1)mark(p,rank)}}
at=end}
return known?{ranks,count}:null}
function sorted(positions,numberOf,most){const starts=new Uint32Array(most+2)
for(let i=0;i<positions.length;i++)starts[numberOf(positions[i])+1]++
for(let n=1;n<starts.length;n++)starts[n]+=starts[n - 1]
const found=new Uint32Array(positions.length)
for(let i=0;i<positions.length;i++)found[starts[numberOf(positions[i])]++]=positions[i]
return found}
async function ordered(positions,reader,manifest){const{order}=reader.query
if(!manifest.sorts[order]||!positions.length)return positions
const [width,chunk]=manifest.sorts[order]
const wanted=[]
for(let i=0;i<positions.length;i++)wanted[Math.floor(positions[i] / chunk)]=true
const parts=Object.keys(wanted)
const files=await reader.files(parts.map((n)=>[reader.path('numbers',n),manifest.checks[`sort/${order}`][n]]))
const numbers=[]
for(const n of parts)numbers[n]=numbersOf(files.get(reader.path('numbers',n)),width)
const numberOf=(p)=>numbers[Math.floor(p / chunk)][p % chunk]
const found=sorted(positions,(p)=>65535 -(numberOf(p)&65535),65535)
return width===2?found:sorted(found,(p)=>65535 -(numberOf(p)>>>16),65535)}
function numbersOf(data,width){const bytes=data.byteOffset % width?data.slice():data
return new(width===2?Uint16Array:Uint32Array)(bytes.buffer,bytes.byteOffset,bytes.length / width)}
async function rowsAt(positions,reader,manifest){const{rows,size,pages_a_block:many,checks}=manifest
const list=reader.table.lists.find(({name})=>name===reader.query.collection)
const pageAt=(page)=>list.root+fill(reader.table.files.plain,{page})
const pathOf=([level,n])=>(level==='pages'?pageAt(n+1):reader.path(level,n))
const sizes=Object.entries({rows,pages:size,blocks:size * many}).filter(([,held])=>held)
const files=cover(positions,sizes,reader.most.reads - reader.reads)
const distinct=[...new Map(files.map((file)=>[pathOf(file),file]))]
const expected=distinct.reduce((sum,[,[level,n]])=>sum+(level==='blocks'?manifest.block_bytes[n]:0),0)
const read=await reader.files(distinct.map(([path,[level,n]])=>[path,checks[level][n]]),expected)
const rowsOf=(data,level)=>linesIn(level==='pages'?rowsIn(data):data)
const lines=new Map(distinct.map(([path,[level]])=>[path,rowsOf(read.get(path),level)]))
return files.map((file,i)=>lines.get(pathOf(file))[positions[i] % file[2]])}
function cover(positions,[[first,rows],...larger],most){let files=Array.from(positions,(p)=>[first,Math.floor(p / rows),rows])
const names=(of)=>new Set(of.map(([level,n])=>`${level} ${n}`))
for(const [level,size] of larger){const replaced=new Map()
files.forEach((file,i)=>{const n=Math.floor(positions[i] / size)
replaced.set(n,[...(replaced.get(n)??[]),file])})
const gains=[...replaced].map(([n,held])=>[n,names(held).size]).sort(([a,m],[b,n])=>n - m||a - b)
for(const [n,gain] of gains){if(names(files).size<=most||gain<2)break
files=files.map((file,i)=>(Math.floor(positions[i] / size)===n?[level,n,size]:file))}}
return files}
function unpacked(base64){const text=atob(base64)
const bytes=new Uint8Array(text.length)
for(let i=0;i<bytes.length;i++)bytes[i]=text.charCodeAt(i)
return bytes}
function rowsIn(page){const start=page.indexOf(10)+1
return page.subarray(start,Math.max(start,page.lastIndexOf(10,page.length - 2)))}
function linesIn(data){const lines=[]
for(let start=0,end;start<data.length;start=end+1){end=data.indexOf(10,start)
if(end<0)end=data.length
lines.push(data.subarray(start,data[end - 1]===44?end - 1:end))}
return lines}
function listBytes(query,rows,count,pages,manifest,table){const list=table.lists.find(({name})=>name===query.collection)
const{page:number,sort,order,q,filters}=query
const at=(page)=>{const pairs=['mode=page']
if(q!==null)pairs.push(`q=${quoted(q)}`)
for(const [name,value] of Object.entries(filters))pairs.push(`${name}=${value}`)
if(sort)pairs.push(`sort=${sort}`)
if(page!==1)pairs.push(`page=${page}`)
return `${table.prefix}${list.root}?${pairs.join('&')}`}
const head={schema_version:table.schema_version,kind:`${table.kinds[list.name]}_list`,...(manifest.as_of===null?{}:{as_of:manifest.as_of}),query:{mode:'page',page:number,sort:order,q,filters},page:{number,size:manifest.size,count:rows.length,total_items:count,total_pages:pages},links:{self:at(number),first:at(1),prev:number>1?at(number - 1):null,next:number<pages?at(number+1):null,last:at(pages),filters:table.prefix+list.root+table.files.filters,},}
const opening=JSON.stringify(head).slice(0,-1)
const parts=rows.flatMap((row,i)=>[encoder.encode(i?',\n':`${opening},"data":[\n`),row])
parts.push(encoder.encode(rows.length?'\n]}\n':`${opening},"data":[]}\n`))
const body=new Uint8Array(parts.reduce((sum,part)=>sum+part.length,0))
parts.reduce((start,part)=>(body.set(part,start),start+part.length),0)
return body}
function quoted(text){return encodeURIComponent(text).replace(/[!\x27()*]/g,(c)=>`%${c.charCodeAt(0).toString(16).toUpperCase()}`)}
const CRCS=new Uint32Array(1024)
for(let b=0;b<256;b++){let c=b
for(let bit=0;bit<8;bit++)c=c&1?(c>>>1)^ 0xedb88320:c>>>1
CRCS[b]=c}
for(let i=256;i<1024;i++)CRCS[i]=(CRCS[i - 256]>>>8)^ CRCS[CRCS[i - 256]&255]
function crc32(data){let [c,i]=[-1,0]
for(const end=data.length - 3;i<end;i+=4){c ^=data[i]|(data[i+1]<<8)|(data[i+2]<<16)|(data[i+3]<<24)
c=CRCS[768+(c&255)] ^ CRCS[512+((c>>>8)&255)] ^ CRCS[256+((c>>>16)&255)] ^ CRCS[c>>>24]}
for(;i<data.length;i++)c=(c>>>8)^ CRCS[(c ^ data[i])&255]
return ~c>>>0}

export default (request, context) =>
  respond(request, (path, init) =>
    context.next(new Request(new URL(path, request.url), init), { sendConditionalRequest: true }), table, search)
// The rules in _redirects answer where this fails.
export const config = { path: ["/api/projects", "/nordlys/api/projects", "/api/programs", "/nordlys/api/programs", "/api/organizations", "/nordlys/api/organizations", "/api/calendar/events", "/nordlys/api/calendar/events", "/api/dashboard", "/nordlys/api/dashboard", "/api/projects/:slug", "/nordlys/api/projects/:slug", "/api/programs/:slug", "/nordlys/api/programs/:slug", "/api/organizations/:slug", "/nordlys/api/organizations/:slug", "/api/calendar/events/:slug", "/nordlys/api/calendar/events/:slug"], excludedPath: ["/api/*.json", "/nordlys/api/*.json", "/api/*.ics", "/nordlys/api/*.ics"], onError: 'bypass' }
