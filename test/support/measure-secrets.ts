/** Prints what is redacted of a set of samples: `node test/support/measure-secrets.ts [development|blind]`. */
import { createRedactor } from '../../src/workspace/safety/redact.ts';
import { readLookAlikes, readSecretSamples, tellingPart } from './secret-sets.ts';

const SEED = 20_261_118;
const set = process.argv[2] === 'development' ? 'development' : 'blind';
const redactor = createRedactor({ allow: [], enabled: true });

const samples = readSecretSamples(set, SEED);
const missed: string[] = [];
const byForm = new Map<string, { all: number; held: number }>();
for (const { form, text, secrets } of samples) {
  const kept = (await redactor.redact(text)).text;
  const isHeld = secrets.every((secret) => !kept.includes(tellingPart(secret)));
  if (!isHeld) missed.push(`missed\t${form}\t${JSON.stringify(kept)}`);
  const count = byForm.get(form) ?? { all: 0, held: 0 };
  byForm.set(form, { all: count.all + 1, held: count.held + (isHeld ? 1 : 0) });
}
const changed: string[] = [];
const lookAlikes = readLookAlikes();
for (const text of lookAlikes) {
  const kept = (await redactor.redact(text)).text;
  if (kept !== text) changed.push(`changed\t${JSON.stringify(text)}\t${JSON.stringify(kept)}`);
}
const held = samples.length - missed.length;
const lines = [
  `${set}: ${held} of ${samples.length} redacted (${(held / samples.length).toFixed(3)})`,
  ...Array.from(byForm, ([form, count]) => `${form}\t${count.held}/${count.all}`),
  `look-alikes: ${changed.length} of ${lookAlikes.length} changed`,
  ...missed,
  ...changed,
];
process.stdout.write(`${lines.join('\n')}\n`);
