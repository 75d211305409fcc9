/**
 * Of what consolidation writes by itself – facts from important entries, patterns – how much is worth keeping by the labels
 * of a sample that a careful person would keep.
 *
 *   npm run bench:consolidate -- [--data DIR] [--sessions N] [--wrong] [--json]
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { consolidateSample } from './consolidate/live.ts';
import { findTold } from './consolidate/written.ts';
import { readSample } from './extract/sample.ts';
import { printResult } from './support.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(import.meta.dirname, 'data/knowledge') },
    sessions: { type: 'string', default: '1000' },
    user: { type: 'string', default: 'Ines' },
    zone: { type: 'string', default: 'Europe/Berlin' },
    /** Lists what is not worth keeping. */
    wrong: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const sessions = readSample(values.data).slice(0, Number(values.sessions));
const written = await consolidateSample(sessions, { user: values.user, zone: values.zone });
const unwanted = written.filter((statement) => findTold(sessions, statement) === undefined);
if (values.wrong) for (const { path: file, text } of unwanted) process.stdout.write(`  ${file}: ${text}\n`);
printResult(values.json, 'What consolidation writes, and how much of it is worth keeping', {
  sessions: sessions.length,
  written: written.length,
  worthKeeping: written.length - unwanted.length,
  rate: written.length === 0 ? null : (written.length - unwanted.length) / written.length,
});
