import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyLogs, fixture } from '../../test/support/imports.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { runImport, importOperation } from './import.ts';
import { runOperation } from './operation.ts';
import { openTestHome } from './history/testing.ts';

describe('import', () => {
  it('takes over sessions and reports what it did', async () => {
    const { context } = await openTestHome();
    const seen: number[] = [];
    const onProgress = ({ done }: { readonly done: number }): void => void seen.push(done);
    const result = await runImport(context, { from: 'claude-code', path: copyLogs('claude-code') }, { onProgress });
    expect(result).toMatchObject({ from: 'claude-code', sessions: 2, turns: 11, documents: 0, interrupted: false });
    expect(seen.at(-1)).toBe(3);
  });

  it('understands since when, and refuses what is no time', async () => {
    const { context } = await openTestHome();
    const given = { from: 'claude-code', path: copyLogs('claude-code') } as const;
    const recent = await runOperation(importOperation, context, { ...given, since: '2026-03-05', dryRun: true });
    expect(recent.sessions).toBe(1);
    await expect(async () => runOperation(importOperation, context, { ...given, since: 'soon' })).rejects.toThrow(
      '"soon" is no time',
    );
  });

  it('says where it looked in vain and what it needs', async () => {
    const { context } = await openTestHome();
    const places = { userHome: makeTemporaryFolder() };
    await expect(runImport(context, { from: 'codex' }, { places })).rejects.toThrow('There are no sessions of Codex');
    await expect(runImport(context, { from: 'markdown' }, { places })).rejects.toThrow('needs a path');
    await expect(runImport(context, { from: 'codex', path: path.join(places.userHome, 'x') })).rejects.toThrow(
      'There is no',
    );
  });

  it('counts documents in a dry run as it would take them', async () => {
    const { context } = await openTestHome();
    const folder = path.join(makeTemporaryFolder(), 'garden');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'beds.md'), '# Beds\n');
    fs.writeFileSync(path.join(folder, 'broken.md'), '---\ntitle: [x\n---\nThe rhubarb.\n');
    fs.writeFileSync(path.join(folder, 'large.md'), 'word '.repeat(context.config.limits.max_file_bytes / 5));
    const dry = await runImport(context, { from: 'markdown', path: folder, dryRun: true });
    const real = await runImport(context, { from: 'markdown', path: folder });
    expect([dry.documents, real.documents]).toEqual([2, 2]);
    expect(dry.skipped).toEqual(real.skipped);
    expect(dry.skipped).toEqual([{ what: 'document', why: expect.stringContaining('the limit is'), count: 1 }]);
    const copy = path.join(context.workspace.root, 'memory', 'reference', 'garden', 'broken.md');
    expect(fs.readFileSync(copy, 'utf8')).toMatch(
      /^---\nsource: markdown:garden\ntrust: import\n---\n\n---\ntitle: \[x\n/u,
    );
  });

  it('is only for those who may write', async () => {
    const { context } = await openTestHome();
    const asReader = { ...context, actor: 'reader:x' };
    const given = { from: 'transcript', path: fixture('transcripts/meeting.md') } as const;
    await expect(async () => runOperation(importOperation, asReader, given)).rejects.toThrow('may not run import');
  });
});
