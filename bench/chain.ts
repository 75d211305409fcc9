/** How long it takes to verify a long chain, and to verify it again after something was added. */
import { parseArgs } from 'node:util';
import { draftOf, MemoryChain } from '../src/chain/testing/memory-chain.ts';
import { holdsSealed, makeSeal, sealedPart, verifyChain } from '../src/chain/verify.ts';
import { printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: { entries: { type: 'string', default: '100000' }, json: { type: 'boolean', default: false } },
});
const wanted = Number(values.entries);
const BATCH = 2000;
const ADDED = 100;

const chain = new MemoryChain();
progress(`signing ${wanted} entries`);
const writer = chain.writer();
for (let done = 0; writer.next < wanted; done += BATCH) {
  await writer.append(
    Array.from({ length: Math.min(BATCH, wanted - writer.next) }, (_, index) => draftOf(done + index)),
  );
}
const key = chain.keys.read();
const { bytes } = chain;

progress('verifying');
const startedMs = performance.now();
const usedBefore = process.cpuUsage();
const first = verifyChain(bytes);
const verifyMs = performance.now() - startedMs;
// What it costs also on a machine that is busy with something else.
const used = process.cpuUsage(usedBefore);
const seal = key === undefined ? undefined : makeSeal(bytes, first, key);
if (seal === undefined) throw new Error(`The chain is not whole: ${first.findings[0]?.message ?? 'no key'}`);

await writer.append(Array.from({ length: ADDED }, (_, index) => draftOf(index)));
const grown = chain.bytes;
const againMs = performance.now();
if (holdsSealed(grown, seal) !== 'same') throw new Error('The sealed part has changed.');
const second = verifyChain(grown, {}, sealedPart(seal));
const incrementalMs = performance.now() - againMs;
if (second.findings.length > 0 || second.walked < ADDED) throw new Error('The incremental run is wrong.');
chain.remove();

printResult(values.json, 'Verifying the chain', {
  verifyMs,
  entries: first.entries,
  incrementalMs,
  verifyCpuMs: (used.user + used.system) / 1000,
  signatures: first.signatures,
  megabytes: bytes.length / 1e6,
});
