/**
 * Years with a memory: conversations, nights, and somebody who decides once a week or never. What matters must still be
 * found, what does not must no longer be told, and a night must not take longer because years lie behind it.
 *
 *   npm run bench:years -- [--months 36] [--quick] [--approver weekly|never|both] [--seed 1] [--keep] [--json]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { printResult } from './support.ts';
import { runYears } from './years/run.ts';

const { values } = parseArgs({
  options: {
    months: { type: 'string', default: '36' },
    /** Four months and a tenth of the facts. */
    quick: { type: 'boolean', default: false },
    approver: { type: 'string', default: 'both' },
    facts: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** Leaves the homes where they are. */
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const folder = makeTemporaryFolder('mneme-years-');
const approvers = values.approver === 'both' ? (['weekly', 'never'] as const) : [asApprover(values.approver)];
const results: Record<string, unknown> = {};
for (const approver of approvers) {
  const result = await runYears({
    home: path.join(folder, approver),
    months: values.quick ? 4 : Number(values.months),
    facts: values.quick ? 20 : Number(values.facts),
    seed: Number(values.seed),
    approver,
  });
  // The first run is the result; the one in which nobody answers stands beside it.
  if (approver === approvers[0]) Object.assign(results, result);
  else results[approver] = result;
}
if (values.keep) results['homes'] = folder;
else fs.rmSync(folder, { recursive: true, force: true });
printResult(values.json, `${values.months} months with a memory`, results);

function asApprover(name: string): 'weekly' | 'never' {
  if (name === 'weekly' || name === 'never') return name;
  throw new Error(`"${name}" is no approver: weekly, never or both`);
}
