#!/usr/bin/env node
// Checks a proof that `mneme chain prove` made. Written after docs/chain.md alone, and sharing no code with Mneme, so that
// a mistake in one of the two shows as a disagreement.
//
//   node verify-proof.mjs proof.json [PUBLIC-KEY or CHAIN, as hexadecimal digits]
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DIGITS = { key: 32, sig: 128, prev: 64 };
const CONTENT = ['identity', 'decision', 'commitment', 'remember', 'proposal', 'milestone', 'transcript'];

function demand(isTrue, problem) {
  if (!isTrue) throw new Error(problem);
}

const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isHex = (value, digits) => typeof value === 'string' && value.length === digits && !/[^0-9a-f]/.test(value);
const hasKeys = (value, ...keys) => isPlain(value) && Object.keys(value).sort().join() === keys.sort().join();
const isHead = (value) => isCount(value.seq) && isHex(value.head, 64);

// Entries hold nothing but objects, arrays, plain ASCII strings, whole numbers and null: sorting keys is all of RFC 8785.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isPlain(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const fingerprint = (publicKey) => sha256(Buffer.from(publicKey, 'hex')).toString('hex').slice(0, 32);
const hashOf = (entry) => sha256(Buffer.from(canonical(entry), 'utf8'));

function isSigned(publicKey, text, signature) {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'hex'));
}

function isEntrySigned(publicKey, entry) {
  const { sig, ...rest } = entry;
  return entry.key === fingerprint(publicKey) && isSigned(publicKey, `mneme chain entry 1\n${canonical(rest)}`, sig);
}

// The way up from a leaf: at each step the other half stands left or right, which follows from index and size.
function climb(leaf, index, size, path) {
  if (!isCount(index) || index >= size) return undefined;
  let [hash, at, last] = [leaf, index, size - 1];
  for (const step of path) {
    if (last === 0) return undefined;
    const other = Buffer.from(step, 'hex');
    if (at % 2 === 1 || at === last) {
      hash = sha256(Buffer.from([1]), other, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else {
      hash = sha256(Buffer.from([1]), hash, other);
    }
    [at, last] = [at >> 1, last >> 1];
  }
  return last === 0 ? hash.toString('hex') : undefined;
}

const BODY = {
  key: (body) =>
    hasKeys(body, 'publicKey', 'reason', 'proof') &&
    isHex(body.publicKey, 64) &&
    ['first', 'rotation', 'lost'].includes(body.reason) &&
    isHex(body.proof, 128),
  checkpoint: (body) => hasKeys(body, 'size', 'root') && isCount(body.size) && isHex(body.root, 64),
  anchor: (body) =>
    hasKeys(body, 'kind', 'seq', 'head', 'receipt') &&
    ['file', 'git', 'evm'].includes(body.kind) &&
    isHead(body) &&
    (body.receipt === null || (typeof body.receipt === 'string' && /^[0-9a-f]{8,128}$/.test(body.receipt))),
  erasure: (body) =>
    hasKeys(body, 'targets') &&
    Array.isArray(body.targets) &&
    body.targets.every((one) => hasKeys(one, 'seq', 'leaf') && isCount(one.seq) && isCount(one.leaf)),
  link: (body) => hasKeys(body, 'chain', 'seq', 'head') && isHex(body.chain, 32) && isHead(body),
};

function isReference(ref) {
  const patterns = { mutation: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, item: /^[0-9a-hjkmnp-tv-z]{13}$/ };
  return isPlain(ref) && Object.entries(ref).every(([key, value]) => typeof value === 'string' && patterns[key]?.test(value));
}

function checkEntry(entry, what) {
  demand(isPlain(entry), `${what} is no entry`);
  const isContent = CONTENT.includes(entry.type);
  demand(isContent || Object.hasOwn(BODY, entry.type), `${what} has an unknown type`);
  const fields = ['v', 'seq', 'time', 'type', 'prev', 'key', 'sig', ...(isContent ? ['content', 'ref'] : ['body'])];
  demand(hasKeys(entry, ...fields) && entry.v === 1 && isCount(entry.seq), `${what} has other fields`);
  for (const [field, digits] of Object.entries(DIGITS)) demand(isHex(entry[field], digits), `${what}: ${field} is wrong`);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(entry.time) && !Number.isNaN(Date.parse(entry.time));
  demand(typeof entry.time === 'string' && isTime, `${what}: time is wrong`);
  const { content } = entry;
  const isSaid = isContent
    ? hasKeys(content, 'leaves', 'root') && isCount(content.leaves) && content.leaves > 0 && isHex(content.root, 64)
    : BODY[entry.type](entry.body);
  demand(isSaid && (!isContent || isReference(entry.ref)), `${what} does not say what its type says`);
}

function checkKeys({ keys, chain }, trusted) {
  demand(Array.isArray(keys) && keys.length > 0 && keys.length <= 1000, 'there are no keys');
  for (const key of keys) {
    checkEntry(key, 'a key');
    demand(key.type === 'key', 'a key is none');
  }
  demand(keys[0].seq === 0 && keys[0].body.reason === 'first', 'the first key does not begin the chain');
  demand(fingerprint(keys[0].body.publicKey) === chain, 'the first key does not name the chain');
  const isTrusted = ({ body }) => body.publicKey === trusted || fingerprint(body.publicKey) === trusted;
  const root = trusted === undefined ? 0 : keys.findIndex(isTrusted);
  demand(root !== -1, 'it is not of the trusted chain or key');
  for (const [index, { seq, body }] of keys.entries()) {
    demand(index === 0 || (body.reason !== 'first' && seq > keys[index - 1].seq), 'the keys are out of order');
    demand(index <= root || body.reason === 'rotation', 'a key was replaced without consent');
    const signer = body.reason === 'rotation' ? keys[index - 1].body.publicKey : body.publicKey;
    demand(isEntrySigned(signer, keys[index]), 'a key is not signed');
    const possession = `mneme chain key 1\n${canonical({ chain, publicKey: body.publicKey, seq })}`;
    demand(isSigned(body.publicKey, possession, body.proof), 'a key has not signed for itself');
  }
  return root;
}

function checkIncluded(proof, part, what) {
  demand(hasKeys(part, 'entry', 'path'), `${what} is missing something`);
  const { entry, path } = part;
  checkPath(path);
  checkEntry(entry, what);
  const isOwn = entry.type === 'key' && entry.body.reason !== 'rotation';
  const before = proof.keys.findLast(({ seq }) => seq < entry.seq);
  const signer = isOwn ? entry.body.publicKey : before?.body.publicKey;
  demand(signer !== undefined && isEntrySigned(signer, entry), `${what} is not signed`);
  const { size, root } = proof.checkpoint.body;
  const reached = climb(sha256(Buffer.from([0]), hashOf(entry)), entry.seq, size, path);
  demand(reached === root, `${what} is not below the checkpoint`);
}

function checkPath(path) {
  demand(Array.isArray(path) && path.length <= 64 && path.every((step) => isHex(step, 64)), 'a path is none');
}

function checkOpening({ entry: { entry }, opening, erasure }) {
  const isContent = CONTENT.includes(entry.type);
  demand(isContent === (opening !== undefined), 'words and entry do not belong together');
  if (!isContent) return demand(erasure === undefined, 'nothing was there to erase');
  const isOpen = hasKeys(opening, 'leaf', 'salt', 'text', 'path') && isHex(opening.salt, 32) && typeof opening.text === 'string';
  demand(isOpen || (hasKeys(opening, 'leaf', 'hash', 'path') && isHex(opening.hash, 64)), 'the opening is none');
  checkPath(opening.path);
  const leaf = isOpen
    ? sha256(Buffer.from([0]), Buffer.from(opening.salt, 'hex'), Buffer.from(opening.text, 'utf8'))
    : Buffer.from(opening.hash, 'hex');
  demand(climb(leaf, opening.leaf, entry.content.leaves, opening.path) === entry.content.root, 'the words are others');
  demand(isOpen || erasure !== undefined, 'the words are missing without an erasure');
}

/** Throws an Error that says what is wrong; returns the proved entry otherwise. */
export function verifyProof(proof, trusted) {
  const names = ['format', 'chain', 'keys', 'entry', 'checkpoint'];
  const optional = ['opening', 'erasure'].filter((name) => isPlain(proof) && Object.hasOwn(proof, name));
  demand(hasKeys(proof, ...names, ...optional) && proof.format === 'mneme-proof-1', 'it is no proof');
  demand(isHex(proof.chain, 32), 'the chain has no name');
  const root = checkKeys(proof, trusted);
  const { checkpoint } = proof;
  checkEntry(checkpoint, 'the checkpoint');
  demand(checkpoint.type === 'checkpoint' && checkpoint.body.size === checkpoint.seq, 'the checkpoint is none');
  const signer = proof.keys.findLastIndex(({ seq }) => seq < checkpoint.seq);
  demand(signer >= root && isEntrySigned(proof.keys[signer].body.publicKey, checkpoint), 'the checkpoint is not signed');
  checkIncluded(proof, proof.entry, 'the entry');
  checkOpening(proof);
  if (proof.erasure !== undefined) {
    checkIncluded(proof, proof.erasure, 'the erasure');
    const { entry } = proof.erasure;
    const isNamed = ({ seq, leaf }) => seq === proof.entry.entry.seq && leaf === proof.opening.leaf;
    demand(entry.type === 'erasure' && entry.seq > proof.entry.entry.seq && entry.body.targets.some(isNamed), 'another erasure');
  }
  return proof.entry.entry;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const proof = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
    const { seq, type, time } = verifyProof(proof, process.argv[3]?.toLowerCase());
    console.log(`proved: entry ${seq} (${type}) of chain ${proof.chain}, entered ${time}\n${proof.opening?.text ?? ''}`);
  } catch (error) {
    console.log(`not proved: ${error.message}`);
    process.exitCode = 7;
  }
}
