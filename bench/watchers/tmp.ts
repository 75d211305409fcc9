import { readWatcherData, senses } from './data.ts';
import { manyTopics } from './many-topics.ts';
import { WordVectors } from '../../src/topics/tier2/word-vectors.ts';
import { Watchers } from '../../src/topics/watchers.ts';
const { topics, messages } = readWatcherData('/work/main/bench/data/watchers');
let s0=performance.now(); const vec=new WordVectors(); const w = new Watchers(manyTopics(topics, 500), senses, vec); console.log('build 500', (performance.now()-s0).toFixed(0));
s0=performance.now(); new Watchers(topics.slice(0,5), senses, new WordVectors()); console.log('build 5 cold vectors', (performance.now()-s0).toFixed(0));
const a:number[]=[],b:number[]=[]; let hitN=0;
for (const m of messages) { let x1=1e9,x2=1e9; for(let r=0;r<12;r++){const s=performance.now(); const x=w.read(m); const h=w.matchTriggers(x); const mid=performance.now(); w.score(x,h); const e=performance.now(); x1=Math.min(x1,mid-s); x2=Math.min(x2,e-mid); hitN=Math.max(hitN,h.size);} a.push(x1); b.push(x2); }
for(const v of [a,b]){v.sort((p,q)=>p-q); console.log('p50',v[v.length>>1]!.toFixed(2),'p95',v[Math.floor(v.length*.95)]!.toFixed(2),'max',v.at(-1)!.toFixed(2));} console.log('max hits',hitN);
