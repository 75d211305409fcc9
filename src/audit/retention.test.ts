import { describe, expect, it } from 'vitest';
import { readWorkspaceFile } from '../../test/support/home.ts';
import { ackRequests } from './acknowledgement.ts';
import { createDigestTest, serializeDigest, AUDIT_ARCHIVE } from './retention.ts';
import type { AuditLine } from './line.ts';
import { openAudit, TestClock, type OpenAudit } from './testing/open-audit.ts';
import { DAY_MS } from '../model/time.ts';

function line(overrides: Partial<AuditLine>): AuditLine {
  return {
    timeMs: Date.UTC(2026, 0, 15),
    action: 'EDIT',
    file: 'MEMORY.md',
    actor: 'bot:test',
    approval: 'auto',
    summary: 'a change',
    isCritical: false,
    reference: undefined,
    trigger: undefined,
    ...overrides,
  };
}

/** Runs retention as an operation would: first it writes the digest, then it removes the lines. */
async function retain({ trail, commit }: OpenAudit): Promise<number> {
  const plan = trail.planRetention();
  if (plan.changes.length > 0) {
    await commit({ changes: plan.changes, actor: 'system:audit', action: 'APPEND', summary: 'digests' });
  }
  await trail.drop(plan.linesToDrop);
  return plan.linesToDrop.length;
}

describe('the digest of a month', () => {
  it('has the seed’s form', () => {
    const entity = (name: string): AuditLine =>
      line({ action: 'CREATE', file: `memory/graph/entities/${name}.md`, reference: 'm1', summary: 'research' });
    const text = serializeDigest('2026-01', [
      line({ actor: 'reflection:r-1', approval: 'approved', reference: 'r1' }),
      line({ actor: 'reflection:r-2', approval: 'approved', reference: 'r2' }),
      line({ actor: 'reflection:r-2', action: 'REJECT', approval: 'rejected', reference: 'r3' }),
      line({ action: 'DECAY', summary: '3 entries transitioned: fading→dormant', file: 'x.json' }),
      line({ file: 'SOUL.md', actor: 'manual', isCritical: true, summary: 'kinder', reference: 'c1' }),
      ...['a', 'b', 'c', 'd', 'e'].map(entity),
    ]);
    expect(text).toBe(
      [
        '# Audit Digest — January 2026',
        '',
        '## Summary',
        '- 6 total mutations across 8 files',
        '- 2 reflection sessions (1 approved, 1 partial)',
        '- 1 critical file change',
        '- 3 decay transitions, 0 archival events',
        '- 1 change made outside Mneme',
        '',
        '## Notable Events',
        '- 2026-01-15: ⚠ SOUL.md changed by manual (kinder)',
        '- 2026-01-15: 5 new entities (research)',
        '',
      ].join('\n'),
    );
    expect(createDigestTest(text)('2026-01')).toBe(true);
    expect(createDigestTest(text)('2026-02')).toBe(false);
  });
});

describe('retention', () => {
  it('turns whole months past the window into digests, once', async () => {
    const clock = new TestClock('2026-01-20T10:00:00Z');
    const audit = await openAudit({ clock });
    await audit.write({ 'a.md': 'a\n' }, { summary: 'in January' });
    clock.advance(20 * DAY_MS);
    await audit.write({ 'a.md': 'b\n' }, { summary: 'in February' });
    clock.timeMs = Date.parse('2026-04-30T00:00:00Z');
    expect(await retain(audit)).toBe(0);
    clock.timeMs = Date.parse('2026-05-02T00:00:00Z');
    expect(await retain(audit)).toBe(1);
    const archive = readWorkspaceFile(audit.home, AUDIT_ARCHIVE);
    expect(archive).toContain('# Audit Digest — January 2026\n\n## Summary\n- 1 total mutation across 1 file\n');
    expect(audit.trail.planRetention()).toEqual({ digests: [], changes: [], linesToDrop: [] });
    expect(audit.trail.lines().map(({ summary }) => summary)).toEqual(['in February', 'digests']);
    expect(await audit.trail.verify()).toEqual([]);

    clock.timeMs = Date.parse('2026-06-15T00:00:00Z');
    expect(await retain(audit)).toBe(1);
    const later = readWorkspaceFile(audit.home, AUDIT_ARCHIVE);
    expect(later.startsWith(archive)).toBe(true);
    expect(later.slice(archive.length)).toContain('# Audit Digest — February 2026');
    await audit.workspace.close();
  });

  it('does not bring archived months back when the log is rebuilt', async () => {
    const clock = new TestClock('2026-01-20T10:00:00Z');
    const audit = await openAudit({ clock });
    await audit.write({ 'a.md': 'a\n' });
    clock.timeMs = Date.parse('2026-06-01T00:00:00Z');
    await audit.trail.rebuild();
    expect(audit.trail.lines()).toHaveLength(1);
    await retain(audit);
    await audit.trail.rebuild();
    expect(audit.trail.lines().map(({ summary }) => summary)).toEqual(['digests']);
    await audit.workspace.close();
  });

  it('keeps what waits for an answer until it has one, and the answer for good', async () => {
    const clock = new TestClock('2026-01-20T10:00:00Z');
    const audit = await openAudit({ clock });
    const mutation = await audit.write({ 'SOUL.md': 'be kind\n' });
    clock.timeMs = Date.parse('2026-06-01T00:00:00Z');
    expect(await retain(audit)).toBe(0);
    await audit.trail.rebuild();
    expect(audit.trail.lines().map(({ file }) => file)).toEqual(['SOUL.md', AUDIT_ARCHIVE]);
    for (const request of ackRequests([mutation], 'mine', 'manual')) await audit.commit(request);
    clock.timeMs = Date.parse('2027-01-01T00:00:00Z');
    await retain(audit);
    expect(audit.trail.lines().map(({ action }) => action)).toEqual(['ALERT', 'APPEND']);
    expect(audit.trail.acknowledgements().has(mutation)).toBe(true);
    await audit.workspace.close();
  });
});
