import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { PostgresIndex } from '../../src/search-index/postgres/postgres-index.ts';
import { makeDocument, put } from '../../src/search-index/testing/documents.ts';
import { newName, type TestServer } from './server.ts';
import { SCHEMA, type SharedHomes } from './shared-homes.ts';

/** What a role that may use the tables can do to the memories of others, with SQL of its own. */
// SPEC MACHINE-6
export function describeAttacks(homes: () => SharedHomes): void {
  describe('a tenant who writes SQL', () => {
    const indexOf = (namespace: string): PostgresIndex =>
      new PostgresIndex({ url: homes().test.url, schema: SCHEMA, namespace, device: 'here' });

    it('reads, changes and erases nothing of another', async () => {
      const [mine, theirs] = [newName('mine'), newName('theirs')];
      const victim = indexOf(theirs);
      await victim.apply(put(makeDocument({ path: 'a.md' }, ['the secret of the other team'])));
      const tenant = await Tenant.open(homes().test, mine);
      try {
        const number = await tenant.numberOf(theirs);
        const own = await tenant.numberOf(mine);
        // A table of one's own with the name of ours, in front of it.
        const shadow = `CREATE TEMP TABLE namespaces ON COMMIT DROP AS SELECT ${number} AS id, '${theirs}' AS name,
          '${tenant.role}' AS owner, NULL::integer AS max_passages, NULL::bigint AS max_bytes`;
        const forged = `SET LOCAL mneme.namespace TO '${number}'`;
        for (const setting of [forged, `${shadow}; ${forged}`]) {
          for (const table of [
            'state',
            'passages',
            'documents',
            'postings',
            'vectors',
            `vectors_${number}`,
            'leases',
          ]) {
            expect(await tenant.run(setting, `SELECT * FROM ${SCHEMA}.${table} WHERE namespace = ${number}`)).toBe(0);
          }
          expect(await tenant.run(setting, `DELETE FROM ${SCHEMA}.passages`)).toBe(0);
          for (const call of tenant.isLogin ? FUNCTIONS : []) {
            expect(await tenant.run(setting, `SELECT ${SCHEMA}.${call.replace('$1', `'${theirs}'`)}`)).toBe('42501');
          }
        }
        const named = `SET LOCAL mneme.namespace TO '${own}'`;
        expect(await tenant.run(named, `INSERT INTO ${SCHEMA}.notes VALUES (${number}, 'planted', 'x')`)).toBe('42501');
        expect(await tenant.run(named, `UPDATE ${SCHEMA}.state SET namespace = ${number}`)).toBe('42501');
        // Nor what is everybody's: who owns what, limits, and which tables there are.
        expect(await tenant.run('', `UPDATE ${SCHEMA}.namespaces SET max_passages = NULL`)).toBe(0);
        expect(await tenant.run('', `DELETE FROM ${SCHEMA}.namespaces`)).toBe(0);
        const claim = `INSERT INTO ${SCHEMA}.namespaces (name, owner) VALUES ('x', '${tenant.role}')`;
        expect(await tenant.run('', claim)).toBe('42501');
        expect(await tenant.run('', `INSERT INTO ${SCHEMA}.migrations VALUES (999)`)).toBe('42501');
        expect(await tenant.run('', `SELECT name FROM ${SCHEMA}.namespaces`)).toBe(1);
        expect((await victim.status()).passages).toBe(1);
      } finally {
        await tenant.close();
      }
      // The role is gone, its memory is not: nobody else is kept from theirs by that.
      expect((await victim.status()).passages).toBe(1);
      await victim.server.eraseNamespace(mine);
      await victim.server.eraseNamespace(theirs);
      await victim.close();
    });

    it('gets no more than the limit by asking from several machines at once', async () => {
      const namespace = newName('quota');
      const machines = [indexOf(namespace), indexOf(namespace), indexOf(namespace)];
      const [first] = machines;
      await first?.server.administer('SELECT limit_namespace($1, 10, NULL)', namespace);
      const puts = machines.flatMap((machine, at) =>
        [0, 1, 2, 3].map((file) => machine.apply(put(makeDocument({ path: `${at}-${file}.md` }, ['one', 'two'])))),
      );
      const outcomes = await Promise.allSettled(puts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      expect((await first?.status())?.passages).toBe(10);
      await first?.server.eraseNamespace(namespace);
      const left = await rowsOf(homes().test.directUrl, namespace);
      expect(left).toEqual([]);
      for (const machine of machines) await machine.close();
    });
  });
}

/** They go by who has logged in, which the WebAssembly server cannot change back: tried on a real one. */
const FUNCTIONS = [
  'open_namespace($1)',
  'erase_namespace($1)',
  'limit_namespace($1, 0, 0)',
  'build_vector_index($1, 1, 16)',
];

/** A role as docs/scale.md sets it up, with one memory of its own. */
class Tenant {
  readonly role: string;
  readonly isLogin: boolean;
  readonly #client: Client;

  private constructor(client: Client, role: string, isLogin: boolean) {
    this.#client = client;
    this.role = role;
    this.isLogin = isLogin;
  }

  static async open({ directUrl, isReal }: TestServer, namespace: string): Promise<Tenant> {
    const client = new Client({ connectionString: directUrl });
    await client.connect();
    const role = newName('tenant');
    await client.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA ${SCHEMA} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${role}`);
    const tenant = new Tenant(client, role, isReal);
    await client.query(`SELECT ${SCHEMA}.open_namespace('${namespace}')`);
    await client.query(`UPDATE ${SCHEMA}.namespaces SET owner = $1 WHERE name = $2`, [role, namespace]);
    return tenant;
  }

  async numberOf(namespace: string): Promise<number> {
    const sql = `SELECT id FROM ${SCHEMA}.namespaces WHERE name = $1`;
    return (await this.#client.query<{ id: number }>(sql, [namespace])).rows[0]?.id ?? 0;
  }

  /** How many rows it saw or changed, or the code of the refusal; nothing stays. */
  async run(settings: string, sql: string): Promise<number | string> {
    const become = this.isLogin ? 'SESSION AUTHORIZATION' : 'ROLE';
    await this.#client.query(`BEGIN; SET LOCAL ${become} ${this.role}; ${settings}`);
    try {
      return (await this.#client.query(sql)).rowCount ?? 0;
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error);
    } finally {
      await this.#client.query('ROLLBACK');
    }
  }

  async close(): Promise<void> {
    await this.#client.query(`DROP OWNED BY ${this.role}; DROP ROLE ${this.role}`);
    await this.#client.end();
  }
}

/** Tables that still have something of a namespace, by its number or its name. */
async function rowsOf(url: string, namespace: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relnamespace = '${SCHEMA}'::regnamespace AND relkind = 'r'`,
  );
  const left: string[] = [];
  const known = await client.query(`SELECT 1 FROM ${SCHEMA}.namespaces WHERE name = $1`, [namespace]);
  if (known.rowCount !== 0) left.push('namespaces');
  for (const { relname } of rows) {
    if (relname === 'namespaces' || relname === 'migrations') continue;
    const orphans = `SELECT 1 FROM ${SCHEMA}.${relname} WHERE namespace NOT IN (SELECT id FROM ${SCHEMA}.namespaces)`;
    if ((await client.query(orphans)).rowCount !== 0) left.push(relname);
  }
  await client.end();
  return left;
}
