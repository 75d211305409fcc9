import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { migrateIndex } from '../../src/operations/search/index-migrate.ts';
import { eraseNamespace, limitNamespace, listNamespaces } from '../../src/operations/search/index-namespaces.ts';
import { newName } from './server.ts';
import type { SharedHomes } from './shared-homes.ts';

export function describeHomes(homes: () => SharedHomes): void {
  describe('a memory on PostgreSQL', () => {
    it('answers from this machine while the server is gone, says so, and catches up', async () => {
      const here = await homes().open('cleo');
      const there = await homes().open('dana');
      await here.remember('The harbour crane is painted yellow.');
      // Two machines, one index: what one wrote the other finds before its files arrive.
      const found = await there.recall('harbour crane');
      expect(found.hits[0]?.text).toContain('yellow');

      homes().cable.cut();
      await there.remember('The lighthouse keeper collects stamps.');
      const offline = await there.recall('lighthouse keeper');
      expect(offline.hits[0]?.text).toContain('stamps');
      expect(offline.mode).toBe('hybrid');
      expect(offline.notes.join()).toContain('This machine’s own index answers');
      const { index } = await there.status();
      expect(index.standIn).toContain('cannot be reached');

      homes().mend();
      const back = await there.recall('lighthouse keeper');
      expect(back.notes).toEqual([]);
      expect((await here.recall('lighthouse keeper')).hits[0]?.text).toContain('stamps');
      expect(await there.internals.homeIndex.verify()).toEqual([]);
    });

    it('moves to one file and back, with its vectors, and loses nothing', async () => {
      const mneme = await homes().open('ana');
      const context = mneme.internals;
      await mneme.remember('The observatory opens on Fridays.');
      const before = (await mneme.recall('observatory')).hits.map(({ text, score }) => ({ text, score }));
      await context.homeIndex.sync();
      const toFile = await migrateIndex(context, { to: 'sqlite' });
      expect(toFile).toMatchObject({ isSwitched: true, findings: [], vectors: { made: 0 } });
      const asFile = await homes().open('ana', ['  engine: sqlite']);
      expect((await asFile.recall('observatory')).hits[0]?.text).toBe(before[0]?.text);
      const back = await migrateIndex(asFile.internals, { to: 'postgres' });
      expect(back).toMatchObject({ isSwitched: true, findings: [], isComplete: true, vectors: { made: 0 } });
      const stopped = await migrateIndex(context, { to: 'sqlite' }, { signal: AbortSignal.abort() });
      expect(stopped).toMatchObject({ isSwitched: false, isComplete: false });
    });

    it('lets an agent propose where another machine writes, and a person write', async () => {
      const lines = ['  postgres_writer_lease: true'];
      const writer = await homes().open('ana', lines);
      const other = await homes().open('ben', lines);
      expect(await writer.internals.writer?.whyNot()).toBeUndefined();
      const agent = await homes().open('ben', lines, 'bot:main');
      const proposed = await agent.remember('The bakery closes at noon.');
      expect(proposed).toMatchObject({ store: 'meta' });
      expect(proposed.warnings.join()).toContain('writes this memory now');
      expect((await other.remember('The bakery opens at six.')).store).not.toBe('meta');
    });

    it('keeps to its limits, and is erased alone', async () => {
      const mneme = await homes().open('ana');
      const { internals: context } = mneme;
      const run = <T>(operation: { run: (c: typeof context, i: never) => Promise<T> }, input: object): Promise<T> =>
        operation.run(context, input as never);
      await run(limitNamespace, { name: homes().namespace, maxPassages: 0, maxBytes: null });
      await mneme.remember('The ferry leaves at nine.');
      const limited = await mneme.recall('ferry');
      expect(limited.hits[0]?.text).toContain('nine');
      expect(limited.notes.join()).toContain('may hold 0 passages');
      await run(limitNamespace, { name: homes().namespace, maxPassages: null, maxBytes: null });
      expect(await run(listNamespaces, {})).toContainEqual(
        expect.objectContaining({ name: homes().namespace, isCurrent: true, maxPassages: null }),
      );
      expect(await run(eraseNamespace, { name: homes().namespace })).toEqual({ erased: homes().namespace });
      await expect(run(eraseNamespace, { name: 'nobody' })).rejects.toMatchObject({ code: 'not-found' });
    });

    it('is seen only by the role that owns it, and only in the namespace its transaction names', async () => {
      const client = new Client({ connectionString: homes().test.directUrl });
      await client.connect();
      try {
        await client.query('SET search_path TO mneme_home_test, public');
        const [mine, theirs] = [newName('mine'), newName('theirs')];
        const role = newName('role');
        const numbers: number[] = [];
        for (const name of [mine, theirs]) {
          const { rows } = await client.query<{ number: number }>('SELECT open_namespace($1) AS number', [name]);
          const number = rows[0]?.number ?? 0;
          numbers.push(number);
          await client.query('INSERT INTO notes VALUES ($1, $2, $3)', [number, 'secret', name]);
        }
        await client.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA mneme_home_test TO ${role};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA mneme_home_test TO ${role}`);
        await client.query('UPDATE namespaces SET owner = $1 WHERE name = $2', [role, mine]);
        const seen = async (number: number | undefined): Promise<string[]> => {
          await client.query(`BEGIN; SET LOCAL ROLE ${role}; SET LOCAL mneme.namespace TO '${number}'`);
          const { rows } = await client.query<{ value: string }>('SELECT value FROM notes');
          await client.query('ROLLBACK');
          return rows.map(({ value }) => value);
        };
        expect(await seen(numbers[0])).toEqual([mine]);
        expect(await seen(numbers[1])).toEqual([]);
        await client.query(`BEGIN; SET LOCAL ROLE ${role}; SET LOCAL mneme.namespace TO '${numbers[0]}'`);
        const stranger = client.query('INSERT INTO notes VALUES ($1, $2, $3)', [numbers[1], 'planted', 'x']);
        await expect(stranger).rejects.toThrow('row-level security');
        await client.query('ROLLBACK');
        await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      } finally {
        await client.end();
      }
    });
  });
}
