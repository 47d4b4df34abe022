import{n as e,r as t}from"./_8HjFqer.js";var n,r=e((()=>{n=[],n.push(`SIGHUP`,`SIGINT`,`SIGTERM`),process.platform!==`win32`&&n.push(`SIGALRM`,`SIGABRT`,`SIGVTALRM`,`SIGXCPU`,`SIGXFSZ`,`SIGUSR2`,`SIGTRAP`,`SIGSYS`,`SIGQUIT`,`SIGIOT`),process.platform===`linux`&&n.push(`SIGIO`,`SIGPOLL`,`SIGPWR`,`SIGSTKFLT`)})),i=/* @__PURE__ */ t({load:()=>g,onExit:()=>h,signals:()=>n,unload:()=>_}),a,o,s,c,l,u,d,f,p,m,h,g,_,v=e((()=>{r(),a=e=>!!e&&typeof e==`object`&&typeof e.removeListener==`function`&&typeof e.emit==`function`&&typeof e.reallyExit==`function`&&typeof e.listeners==`function`&&typeof e.kill==`function`&&typeof e.pid==`number`&&typeof e.on==`function`,o=Symbol.for(`signal-exit emitter`),s=globalThis,c=Object.defineProperty.bind(Object),l=class{emitted={afterExit:!1,exit:!1};listeners={afterExit:[],exit:[]};count=0;id=Math.random();constructor(){if(s[o])return s[o];c(s,o,{value:this,writable:!1,enumerable:!1,configurable:!1})}on(e,t){this.listeners[e].push(t)}removeListener(e,t){let n=this.listeners[e],r=n.indexOf(t);
/* c8 ignore start */
r!==-1&&
/* c8 ignore stop */
(r===0&&n.length===1?n.length=0:n.splice(r,1))}emit(e,t,n){if(this.emitted[e])return!1;this.emitted[e]=!0;let r=!1;for(let i of this.listeners[e])r=i(t,n)===!0||r;return e===`exit`&&(r=this.emit(`afterExit`,t,n)||r),r}},u=class{},d=e=>({onExit(t,n){return e.onExit(t,n)},load(){return e.load()},unload(){return e.unload()}}),f=class extends u{onExit(){return()=>{}}load(){}unload(){}},p=class extends u{
/* c8 ignore start */
#e=m.platform===`win32`?`SIGINT`:`SIGHUP`;
/* c8 ignore stop */
#t=new l;#n;#r;#i;#a={};#o=!1;constructor(e){super(),this.#n=e,this.#a={};for(let t of n)this.#a[t]=()=>{let n=this.#n.listeners(t),{count:r}=this.#t,i=e;
/* c8 ignore stop */
if(typeof i.__signal_exit_emitter__==`object`&&typeof i.__signal_exit_emitter__.count==`number`&&(r+=i.__signal_exit_emitter__.count),n.length===r){this.unload();let n=this.#t.emit(`exit`,null,t),r=t===`SIGHUP`?this.#e:t;n||e.kill(e.pid,r)}};this.#i=e.reallyExit,this.#r=e.emit}onExit(e,t){
/* c8 ignore start */
if(!a(this.#n))return()=>{};
/* c8 ignore stop */
this.#o===!1&&this.load();let n=t?.alwaysLast?`afterExit`:`exit`;return this.#t.on(n,e),()=>{this.#t.removeListener(n,e),this.#t.listeners.exit.length===0&&this.#t.listeners.afterExit.length===0&&this.unload()}}load(){if(!this.#o){this.#o=!0,this.#t.count+=1;for(let e of n)try{let t=this.#a[e];t&&this.#n.on(e,t)}catch{}this.#n.emit=(e,...t)=>this.#c(e,...t),this.#n.reallyExit=e=>this.#s(e)}}unload(){this.#o&&(this.#o=!1,n.forEach(e=>{let t=this.#a[e];
/* c8 ignore start */
if(!t)throw Error(`Listener not defined for signal: `+e);
/* c8 ignore stop */
try{this.#n.removeListener(e,t)}catch{}
/* c8 ignore stop */
}),this.#n.emit=this.#r,this.#n.reallyExit=this.#i,--this.#t.count)}#s(e){return a(this.#n)?
/* c8 ignore stop */
(this.#n.exitCode=e||0,this.#t.emit(`exit`,this.#n.exitCode,null),this.#i.call(this.#n,this.#n.exitCode)):0}#c(e,...t){let n=this.#r;if(e===`exit`&&a(this.#n)){typeof t[0]==`number`&&(this.#n.exitCode=t[0]);
/* c8 ignore start */
let r=n.call(this.#n,e,...t);
/* c8 ignore stop */
return this.#t.emit(`exit`,this.#n.exitCode,null),r}return n.call(this.#n,e,...t)}},m=globalThis.process,{onExit:h,load:g,unload:_}=d(a(m)?new p(m):new f)}));export{i as n,h as r,v as t};