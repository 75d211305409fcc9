import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { parseProcedure } from '../../../workspace/formats/procedure.ts';
import {
  type ExecutionRecord,
  Executions,
  countRun,
  measure,
  parseRecord,
  rateChange,
  renderRecord,
} from './record.ts';

function record(given: Partial<ExecutionRecord> = {}): ExecutionRecord {
  return {
    run: 'run_1',
    path: 'memory/procedures/x.md',
    name: 'X',
    version: '1',
    fingerprint: 'abc',
    started: '2026-11-15T12:00:00.000Z',
    ms: 100,
    status: 'succeeded',
    by: 'manual',
    because: 'asked',
    steps: [{ step: '1', what: 'a', outcome: 'ok', attempts: 1, failures: 0, ms: 100 }],
    ...given,
  };
}

function write(root: string, executions: Executions, given: ExecutionRecord): boolean {
  let isNew = false;
  const change = executions.planRecord(given, (answer) => {
    isNew = answer;
  });
  const full = path.join(root, change.path);
  const current = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined;
  const next = 'edit' in change ? change.edit(current) : undefined;
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, next ?? '');
  return isNew;
}

// SPEC PROCEDURE-4
describe('executions', () => {
  test('a line is read back, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (name, error) => {
        const one = record({ name, error: error.replaceAll(/\s+/gu, ' '), status: 'failed' });
        const line = renderRecord(one);
        expect(line.includes('\n')).toBe(false);
        expect(parseRecord(line)).toEqual(one);
      }),
    );
    const hostile = record({ name: '--> <!-- x', error: '-->\u2028' });
    expect(parseRecord(renderRecord(hostile))).toEqual(hostile);
  });

  test('a run is recorded once, and files roll', () => {
    const root = makeTemporaryFolder();
    const executions = new Executions(root);
    expect(write(root, executions, record())).toBe(true);
    expect(write(root, executions, record())).toBe(false);
    for (let index = 2; index <= 150; index += 1) {
      write(root, executions, record({ run: `run_${index}`, error: 'x'.repeat(150) }));
    }
    expect(write(root, executions, record())).toBe(false);
    const files = fs.readdirSync(path.join(root, 'memory/meta')).sort();
    expect(files).toEqual(['executions.2.md', 'executions.3.md', 'executions.md']);
    expect(files.every((file) => fs.statSync(path.join(root, 'memory/meta', file)).size < 34 * 1024)).toBe(true);
    expect(executions.readAll().records).toHaveLength(150);
  });

  test('a line that somebody broke is reported and left', () => {
    const root = makeTemporaryFolder();
    const executions = new Executions(root);
    write(root, executions, record());
    const file = path.join(root, 'memory/meta/executions.md');
    fs.appendFileSync(file, '- 2026 broken <!-- {"run": -->\n');
    const { records, problems } = executions.readAll();
    expect(records).toHaveLength(1);
    expect(problems).toEqual(['memory/meta/executions.md:6 is not a record that can be read']);
    write(root, executions, record({ run: 'run_2' }));
    expect(fs.readFileSync(file, 'utf8')).toContain('- 2026 broken <!-- {"run": -->\n');
  });
});

describe('metrics', () => {
  const FILE =
    '---\nname: X # mine\nmetrics:\n  executions: 3\n  successes: 3\n  average_ms: 200\n  streak: 7\n---\n# X\n';

  test('a run is added to what the file says; other keys and the rest stay', () => {
    const text = countRun(FILE, 'x.md', record({ status: 'failed', ms: 600 }));
    expect(parseProcedure(parseDocument(text), 'x.md').frontmatter.metrics).toEqual({
      executions: 4,
      successes: 3,
      success_rate: 0.75,
      average_ms: 300,
      last_executed: '2026-11-15T12:00:00Z',
      streak: 7,
    });
    expect(text).toContain('name: X # mine\n');
    expect(text.endsWith('---\n# X\n')).toBe(true);
  });

  test.each(['# No frontmatter\n', '---\nname: [x\n---\n# Broken\n'])('%j stays as it is', (text) => {
    expect(countRun(text, 'x.md', record())).toBe(text);
  });

  test('what was cancelled or never begun does not count', () => {
    const runs = [record(), record({ status: 'cancelled' }), record({ status: 'failed', steps: [] })];
    expect(measure(runs)).toMatchObject({ executions: 1, successRate: 1 });
    expect(countRun(FILE, 'x.md', record({ status: 'cancelled' }))).toBe(FILE);
  });

  test('versions are compared once both have been run often enough', () => {
    const runs = (version: string, ...results: readonly boolean[]) =>
      results.map((isGood) => record({ version, status: isGood ? 'succeeded' : 'failed' }));
    const old = runs('1', true, false, true, false, false);
    expect(rateChange([...old, ...runs('1.1', true, true)], '1', '1.1')).toBeUndefined();
    expect(rateChange([...old, ...runs('1.1', true, true, true, true, false)], '1', '1.1')).toBe(0.4);
  });
});
