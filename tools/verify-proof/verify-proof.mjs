#!/usr/bin/env node
// Checks a proof of `mneme chain prove`: node verify-proof.mjs proof.json PUBLIC-KEY (or CHAIN), in hexadecimal digits.
// Get the key from its owner, not from whoever gave you the proof: without a key nothing is proved.
// It shares no code with Mneme, so that a mistake in one of the two shows as a disagreement.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CONTENT = new Set('identity decision commitment remember proposal milestone transcript'.split(' '));

const demand = (isTrue, problem) => {
  if (!isTrue) throw new Error(problem);
};
const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isHex = (value, digits) => typeof value === 'string' && value.length === digits && !/[^0-9a-f]/.test(value);
const hasKeys = (value, ...keys) =>
  isPlain(value) && Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));

// Entries hold nothing but objects, arrays, plain ASCII strings, whole numbers and null: sorting keys is all of RFC 8785.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isPlain(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
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

const hex = (digits) => (value) => isHex(value, digits);
const oneOf = (words) => (value) => words.includes(value);
const like = (pattern) => (value) => typeof value === 'string' && pattern.test(value);
const isPath = (path) => Array.isArray(path) && path.length <= 64 && path.every(hex(64));
const fits = (value, form) =>
  hasKeys(value, ...Object.keys(form)) && Object.entries(form).every(([key, test]) => test(value[key]));
const TARGET = { seq: isCount, leaf: isCount };
const RECEIPT = like(/^[0-9a-f]{8,128}$/);
const BODY = {
  key: { publicKey: hex(64), reason: oneOf(['first', 'rotation', 'lost']), proof: hex(128) },
  checkpoint: { size: isCount, root: hex(64) },
  anchor: {
    kind: oneOf(['file', 'git', 'evm']),
    seq: isCount,
    head: hex(64),
    receipt: (one) => one === null || RECEIPT(one),
  },
  erasure: { targets: (all) => Array.isArray(all) && all.every((one) => fits(one, TARGET)) },
  link: { chain: hex(32), seq: isCount, head: hex(64) },
};
const REFERENCE = { mutation: like(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/), item: like(/^[0-9a-hjkmnp-tv-z]{13}$/) };
const ENTRY = {
  v: oneOf([1]),
  seq: isCount,
  time: (value) => like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value) && !Number.isNaN(Date.parse(value)),
  type: (value) => CONTENT.has(value) || Object.hasOwn(BODY, value),
  prev: hex(64),
  key: hex(32),
  sig: hex(128),
};
const CONTENT_ENTRY = {
  ...ENTRY,
  content: (value) => fits(value, { leaves: (count) => isCount(count) && count > 0, root: hex(64) }),
  ref: (value) =>
    isPlain(value) && Object.keys(value).every((key) => Object.hasOwn(REFERENCE, key) && REFERENCE[key](value[key])),
};

function checkEntry(entry, what) {
  const isContent = isPlain(entry) && CONTENT.has(entry.type);
  const isEntry = fits(entry, isContent ? CONTENT_ENTRY : { ...ENTRY, body: isPlain });
  demand(isEntry && (isContent || fits(entry.body, BODY[entry.type])), `${what} is no entry`);
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
  demand(isPath(path), 'a path is none');
  checkEntry(entry, what);
  const isOwn = entry.type === 'key' && entry.body.reason !== 'rotation';
  const before = proof.keys.findLast(({ seq }) => seq < entry.seq);
  const signer = isOwn ? entry.body.publicKey : before?.body.publicKey;
  demand(signer !== undefined && isEntrySigned(signer, entry), `${what} is not signed`);
  const { size, root } = proof.checkpoint.body;
  const reached = climb(sha256(Buffer.from([0]), hashOf(entry)), entry.seq, size, path);
  demand(reached === root, `${what} is not below the checkpoint`);
}

function checkOpening({ entry: { entry }, opening, erasure }) {
  const isContent = CONTENT.has(entry.type);
  demand(isContent === (opening !== undefined), 'words and entry do not belong together');
  if (!isContent) return demand(erasure === undefined, 'nothing was there to erase');
  const isOpen =
    hasKeys(opening, 'leaf', 'salt', 'text', 'path') && isHex(opening.salt, 32) && typeof opening.text === 'string';
  demand(isOpen || (hasKeys(opening, 'leaf', 'hash', 'path') && isHex(opening.hash, 64)), 'the opening is none');
  demand(isPath(opening.path), 'a path is none');
  const leaf = isOpen
    ? sha256(Buffer.from([0]), Buffer.from(opening.salt, 'hex'), Buffer.from(opening.text, 'utf8'))
    : Buffer.from(opening.hash, 'hex');
  demand(climb(leaf, opening.leaf, entry.content.leaves, opening.path) === entry.content.root, 'the words are others');
  demand(isOpen || erasure !== undefined, 'the words are missing without an erasure');
}

// Later entries have later times, so none is from before the key that signed it, and each number stands for one entry.
function checkTimes({ keys, entry, erasure, checkpoint }) {
  const all = [...keys, entry.entry, checkpoint, ...(erasure === undefined ? [] : [erasure.entry])];
  all.sort((one, other) => one.seq - other.seq);
  for (let at = 1; at < all.length; at += 1) {
    const [before, after] = [all[at - 1], all[at]];
    demand(before.seq !== after.seq || canonical(before) === canonical(after), 'one number, two entries');
    demand(before.time <= after.time, `entry ${after.seq} is dated before entry ${before.seq}`);
  }
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
  demand(
    signer >= root && isEntrySigned(proof.keys[signer].body.publicKey, checkpoint),
    'the checkpoint is not signed',
  );
  checkIncluded(proof, proof.entry, 'the entry');
  checkOpening(proof);
  if (proof.erasure !== undefined) {
    checkIncluded(proof, proof.erasure, 'the erasure');
    const { entry } = proof.erasure;
    const isNamed = ({ seq, leaf }) => seq === proof.entry.entry.seq && leaf === proof.opening.leaf;
    demand(
      entry.type === 'erasure' && entry.seq > proof.entry.entry.seq && entry.body.targets.some(isNamed),
      'another erasure',
    );
  }
  checkTimes(proof);
  demand(trusted !== undefined, 'no key was given: anybody can make a proof that agrees with itself');
  return proof.entry.entry;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const proof = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
    const { seq, type, time } = verifyProof(proof, process.argv[3]?.toLowerCase());
    console.log(
      `proved: entry ${seq} (${type}) of chain ${proof.chain}, entered ${time}, signed by key ${proof.checkpoint.key}\n` +
        `${proof.opening?.text ?? ''}`,
    );
  } catch (error) {
    console.log(`not proved: ${error.message}`);
    process.exitCode = 7;
  }
}
