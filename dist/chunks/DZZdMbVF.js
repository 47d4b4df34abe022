import{createRequire as e}from"node:module";e(import.meta.url);import{n as t,r as n}from"./B_QJEN72.js";var r,i=t((()=>{r=[],r.push(`SIGHUP`,`SIGINT`,`SIGTERM`),process.platform!==`win32`&&r.push(`SIGALRM`,`SIGABRT`,`SIGVTALRM`,`SIGXCPU`,`SIGXFSZ`,`SIGUSR2`,`SIGTRAP`,`SIGSYS`,`SIGQUIT`,`SIGIOT`),process.platform===`linux`&&r.push(`SIGIO`,`SIGPOLL`,`SIGPWR`,`SIGSTKFLT`)})),a=/* @__PURE__ */ n({load:()=>_,onExit:()=>g,signals:()=>r,unload:()=>v}),o,s,c,l,u,d,f,p,m,h,g,_,v,y=t((()=>{i(),o=e=>!!e&&typeof e==`object`&&typeof e.removeListener==`function`&&typeof e.emit==`function`&&typeof e.reallyExit==`function`&&typeof e.listeners==`function`&&typeof e.kill==`function`&&typeof e.pid==`number`&&typeof e.on==`function`,s=Symbol.for(`signal-exit emitter`),c=globalThis,l=Object.defineProperty.bind(Object),u=class{emitted={afterExit:!1,exit:!1};listeners={afterExit:[],exit:[]};count=0;id=Math.random();constructor(){if(c[s])return c[s];l(c,s,{value:this,writable:!1,enumerable:!1,configurable:!1})}on(e,t){this.listeners[e].push(t)}removeListener(e,t){let n=this.listeners[e],r=n.indexOf(t);
/* c8 ignore start */
r!==-1&&
/* c8 ignore stop */
(r===0&&n.length===1?n.length=0:n.splice(r,1))}emit(e,t,n){if(this.emitted[e])return!1;this.emitted[e]=!0;let r=!1;for(let i of this.listeners[e])r=i(t,n)===!0||r;return e===`exit`&&(r=this.emit(`afterExit`,t,n)||r),r}},d=class{},f=e=>({onExit(t,n){return e.onExit(t,n)},load(){return e.load()},unload(){return e.unload()}}),p=class extends d{onExit(){return()=>{}}load(){}unload(){}},m=class extends d{
/* c8 ignore start */
#e=h.platform===`win32`?`SIGINT`:`SIGHUP`;
/* c8 ignore stop */
#t=new u;#n;#r;#i;#a={};#o=!1;constructor(e){super(),this.#n=e,this.#a={};for(let t of r)this.#a[t]=()=>{let n=this.#n.listeners(t),{count:r}=this.#t,i=e;
/* c8 ignore stop */
if(typeof i.__signal_exit_emitter__==`object`&&typeof i.__signal_exit_emitter__.count==`number`&&(r+=i.__signal_exit_emitter__.count),n.length===r){this.unload();let n=this.#t.emit(`exit`,null,t),r=t===`SIGHUP`?this.#e:t;n||e.kill(e.pid,r)}};this.#i=e.reallyExit,this.#r=e.emit}onExit(e,t){
/* c8 ignore start */
if(!o(this.#n))return()=>{};
/* c8 ignore stop */
this.#o===!1&&this.load();let n=t?.alwaysLast?`afterExit`:`exit`;return this.#t.on(n,e),()=>{this.#t.removeListener(n,e),this.#t.listeners.exit.length===0&&this.#t.listeners.afterExit.length===0&&this.unload()}}load(){if(!this.#o){this.#o=!0,this.#t.count+=1;for(let e of r)try{let t=this.#a[e];t&&this.#n.on(e,t)}catch{}this.#n.emit=(e,...t)=>this.#c(e,...t),this.#n.reallyExit=e=>this.#s(e)}}unload(){this.#o&&(this.#o=!1,r.forEach(e=>{let t=this.#a[e];
/* c8 ignore start */
if(!t)throw Error(`Listener not defined for signal: `+e);
/* c8 ignore stop */
try{this.#n.removeListener(e,t)}catch{}
/* c8 ignore stop */
}),this.#n.emit=this.#r,this.#n.reallyExit=this.#i,--this.#t.count)}#s(e){return o(this.#n)?
/* c8 ignore stop */
(this.#n.exitCode=e||0,this.#t.emit(`exit`,this.#n.exitCode,null),this.#i.call(this.#n,this.#n.exitCode)):0}#c(e,...t){let n=this.#r;if(e===`exit`&&o(this.#n)){typeof t[0]==`number`&&(this.#n.exitCode=t[0]);
/* c8 ignore start */
let r=n.call(this.#n,e,...t);
/* c8 ignore stop */
return this.#t.emit(`exit`,this.#n.exitCode,null),r}return n.call(this.#n,e,...t)}},h=globalThis.process,{onExit:g,load:_,unload:v}=f(o(h)?new m(h):new p)}));export{a as n,g as r,y as t};