import { describe, expect, it } from 'vitest';
import { readWorkspaceFile, writeWorkspaceFile } from '../../test/support/home.ts';
import { defaultConfig } from '../model/config/schema.ts';
import { must } from '../model/errors.ts';
import { ALEX, COFFEE, failing, openDesk, request, TEXT, write } from '../../test/support/proposal-desk.ts';

describe('when the files have moved on', () => {
  it('merges with edits elsewhere in the file and says so', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id } = await proposals.propose(request());
    writeWorkspaceFile(home, ALEX, TEXT.replace('Rome', 'Paris'));
    const [shown] = await proposals.preview(id);
    expect(shown).toMatchObject({ fit: 'merged', diff: expect.stringContaining('- lives in Paris') });
    const { warnings } = await proposals.approve(id, { actor: 'manual' });
    expect(warnings).toEqual([`Change 1 (${ALEX}) was merged with later edits of the file.`]);
    expect(readWorkspaceFile(home, ALEX)).toBe(COFFEE.replace('Rome', 'Paris'));
    await workspace.close();
  });

  it('goes stale where the same block changed, is rebased with both versions, and then applies', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id, path } = await proposals.propose(request());
    await write(workspace, ALEX, TEXT.replace('likes tea', 'likes water'));
    await expect(proposals.approve(id, { actor: 'manual' })).rejects.toEqual(failing('conflict', /no longer fits/));
    expect(proposals.get(id)).toMatchObject({ state: 'stale', reason: expect.stringContaining('likes water') });
    expect(readWorkspaceFile(home, ALEX)).toBe(TEXT.replace('likes tea', 'likes water'));

    await proposals.rebase(id, { actor: 'subagent:researcher' });
    expect(proposals.get(id)).toMatchObject({ state: 'pending', reason: undefined });
    expect(readWorkspaceFile(home, path)).toContain('\n - likes water\n');
    await proposals.approve(id, { actor: 'manual' });
    expect(readWorkspaceFile(home, ALEX)).toContain('- likes water\n');
    expect(readWorkspaceFile(home, ALEX)).toContain('- likes coffee\n');
    await workspace.close();
  });

  it('rebases what is not stale too, and twice if need be', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id } = await proposals.propose(request());
    await write(workspace, ALEX, TEXT.replace('Rome', 'Paris'));
    await proposals.rebase(id, { actor: 'bot:main' });
    await workspace.drain();
    await proposals.rebase(id, { actor: 'bot:main' });
    expect(await proposals.preview(id)).toMatchObject([{ fit: 'exact' }]);
    await proposals.approve(id, { actor: 'bot:main' });
    expect(readWorkspaceFile(home, ALEX)).toBe(COFFEE.replace('Rome', 'Paris'));
    await workspace.close();
  });

  it('does not rename onto a file that came since', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id } = await proposals.propose(request({ changes: [{ path: ALEX, renameTo: 'memory/b.md' }] }));
    await write(workspace, 'memory/b.md', 'b\n');
    await expect(proposals.approve(id, { actor: 'manual' })).rejects.toEqual(failing('conflict', /exists by now/));
    expect(readWorkspaceFile(home, ALEX)).toBe(TEXT);
    await workspace.close();
  });

  it('fits the diff to the present text when history lost the base', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id, path } = await proposals.propose(request());
    const base = must(proposals.get(id).changes[0]?.base, 'base');
    writeWorkspaceFile(home, path, readWorkspaceFile(home, path).replace(base, 'f'.repeat(40)));
    await write(workspace, ALEX, `${TEXT}\n- new\n`);
    const { warnings } = await proposals.approve(id, { actor: 'manual' });
    expect(warnings).toEqual([expect.stringContaining('was fitted to the present text')]);
    expect(readWorkspaceFile(home, ALEX)).toBe(`${COFFEE}\n- new\n`);
    await workspace.close();
  });

  it('says on both sides that two proposals cannot both stand', async () => {
    const { workspace, proposals } = await openDesk();
    const coffee = await proposals.propose(request());
    const water = await proposals.propose(request({ changes: [{ path: ALEX, after: TEXT.replace('tea', 'water') }] }));
    expect(proposals.get(coffee.id).conflictsWith).toEqual([water.id]);
    expect(proposals.get(water.id).conflictsWith).toEqual([coffee.id]);
    await proposals.approve(coffee.id, { actor: 'manual' });
    await expect(proposals.approve(water.id, { actor: 'manual' })).rejects.toEqual(failing('conflict'));
    await workspace.close();
  });
});

describe('two at once, and crashes', () => {
  it('lets exactly one of two approvers win', async () => {
    const first = await openDesk();
    const second = await openDesk(first.home);
    const { id } = await first.proposals.propose(request());
    const results = await Promise.allSettled([
      first.proposals.approve(id, { actor: 'manual' }),
      second.proposals.approve(id, { actor: 'human:bea' }),
      second.proposals.reject(id, { actor: 'bot:main', why: 'no' }),
    ]);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(reasons).toEqual([failing('conflict', /meanwhile/), failing('conflict', /meanwhile/)]);
    await first.workspace.close();
    await second.workspace.close();
  });

  it.each(['temporary-written', 'journaled', 'file-renamed'] as const)(
    'never applies without marking or marks without applying, when the process dies at %s',
    async (crashStep) => {
      let isArmed = false;
      const onStep = (step: string): void => {
        if (isArmed && step === crashStep) throw new Error('the process dies');
      };
      const { home, proposals } = await openDesk(undefined, defaultConfig(), { onStep });
      const { id } = await proposals.propose(request());
      isArmed = true;
      await expect(proposals.approve(id, { actor: 'manual' })).rejects.toThrow('the process dies');
      const after = await openDesk(home);
      const isApplied = readWorkspaceFile(home, ALEX) === COFFEE;
      expect(after.proposals.get(id).state).toBe(isApplied ? 'applied' : 'pending');
      expect(isApplied).toBe(crashStep !== 'temporary-written');
      await after.workspace.close();
    },
  );
});

describe('a conflict that a merge could not settle', () => {
  it('becomes a proposal that keeps one of both versions', async () => {
    const { home, workspace, proposals } = await openDesk();
    workspace.registries.conflictHandlers.push((report) => proposals.fileConflict(report));
    writeWorkspaceFile(home, ALEX, TEXT.replace('likes tea', 'likes water'));
    await workspace.commit({
      actor: 'bot:test',
      summary: 'coffee',
      changes: [{ path: ALEX, content: COFFEE, base: TEXT }],
    });
    expect(await proposals.settle()).toEqual([]);
    const [filed] = proposals.list({ kind: 'conflict' }).proposals;
    expect(filed).toMatchObject({ actor: 'system:merge', state: 'pending' });
    expect(filed?.why).toContain('> - likes water');
    expect(filed?.why).toContain('> - likes coffee');
    await proposals.approve(filed?.id ?? '', { actor: 'manual' });
    expect(readWorkspaceFile(home, ALEX)).toBe(COFFEE);
    await workspace.close();
  });
});
