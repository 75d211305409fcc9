import { describe, expect, it } from 'vitest';
import type { Fault } from './cable.ts';
import type { SharedHomes } from './shared-homes.ts';

const WRITES = /\b(?:INSERT|UPDATE|DELETE)\b/u;
const TROUBLES: readonly (Fault & { readonly told: string })[] = [
  {
    state: '25006',
    message: 'cannot execute INSERT in a read-only transaction',
    statements: WRITES,
    told: 'no writes',
  },
  { state: '53100', message: 'could not extend file: No space left', statements: /INSERT INTO/u, told: 'no room left' },
  { state: '57014', message: 'canceling statement due to statement timeout', statements: /./u, told: 'too long' },
];

export function describeTrouble(homes: () => SharedHomes): void {
  describe('a server in trouble', () => {
    it('is stood in for, named, and brought up to date when it is well again', async () => {
      const [here, other] = [await homes().open('ana'), await homes().open('ben')];
      for (const { told, ...fault } of TROUBLES) {
        const text = `The ${fault.state} lantern hangs in the boathouse.`;
        homes().cable.fault = fault;
        const kept = await here.remember(text);
        expect(kept.store).not.toBe('meta');
        const found = await here.recall(`${fault.state} lantern`);
        expect(found.hits[0]?.text).toContain(fault.state);
        expect(found.notes.join()).toContain(told);
        expect(found.notes.join()).toContain('what other machines wrote is found once it has come here');
        expect((await here.status()).index.standIn).toContain(told);
        homes().mend();
        expect((await here.recall(`${fault.state} lantern`)).notes).toEqual([]);
        // The other machine has no such file: it hears of it from the server.
        const there = await other.recall(`${fault.state} lantern`);
        expect(there.hits[0]?.text).toContain(fault.state);
      }
      expect(await here.internals.homeIndex.verify()).toEqual([]);
    });

    it('is asked again at once when it was only restarted', async () => {
      const here = await homes().open('ana');
      await here.remember('The ferryman whistles.');
      homes().cable.drop();
      const found = await here.recall('ferryman');
      expect(found.hits[0]?.text).toContain('whistles');
      expect(found.notes).toEqual([]);
    });

    it('that no longer answers is waited for no longer than the settings say', async () => {
      const here = await homes().open('ana', ['  postgres_timeout_ms: 200']);
      await here.recall('ferryman');
      homes().cable.isSilent = true;
      const found = await here.recall('ferryman whistles');
      expect(found.hits[0]?.text).toContain('whistles');
      expect(found.notes.join()).toMatch(/too long|cannot be reached/u);
      // What was on its way when it fell silent is of no use to anybody.
      homes().cable.drop();
      homes().mend();
      expect((await here.recall('ferryman')).notes).toEqual([]);
    });

    it('keeps no agent from proposing, whatever it wants to change', async () => {
      const lines = ['  postgres_writer_lease: true'];
      const writer = await homes().open('ana', lines);
      expect(await writer.internals.writer?.whyNot()).toBeUndefined();
      const person = await homes().open('ben', lines);
      await person.append('memory/reference/boats.md', '- The gig is blue.');
      const agent = await homes().open('ben', lines, 'bot:main');
      const appended = await agent.append('memory/reference/boats.md', '- The punt is green.');
      expect(appended).toMatchObject({ files: [], warnings: [expect.stringContaining('waits as proposal')] });
      const edited = await agent.edit({ path: 'memory/reference/boats.md', replace: 'blue', with: 'red' });
      expect(edited.warnings.join()).toContain('writes this memory now');
      expect((await person.read('memory/reference/boats.md')).text.trim()).toBe('- The gig is blue.');
      const [proposal] = person.internals.proposals.list({ state: 'pending' }).proposals.slice(-1);
      expect(proposal?.changes[0]?.path).toBe('memory/reference/boats.md');
      await person.internals.proposals.approve(proposal?.id ?? '', { actor: 'manual' });
      expect((await person.read('memory/reference/boats.md')).text).toContain('The gig is red.');
    });
  });
}
