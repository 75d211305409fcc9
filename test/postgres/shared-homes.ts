import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { Cable } from './cable.ts';
import { newName, startTestServer, type TestServer } from './server.ts';

const URL_VARIABLE = 'MNEME_TEST_SHARED_URL';
export const SCHEMA = 'mneme_home_test';

/** Homes that share a memory on one server, with a cable in between; made once for all tests of a file. */
export class SharedHomes {
  readonly test: TestServer;
  readonly cable: Cable;
  readonly namespace = newName('team/ana');
  nowMs = Date.parse('2026-03-01T10:00:00Z');
  readonly #open: Mneme[] = [];
  readonly #folders = new Map<string, { readonly home: string; readonly settings: string }>();

  private constructor(test: TestServer, cable: Cable) {
    this.test = test;
    this.cable = cable;
  }

  static async start(): Promise<SharedHomes> {
    const test = await startTestServer();
    const { hostname, port } = new URL(test.url);
    const cable = new Cable({ host: hostname, port: Number(port) });
    const through = new URL(test.url);
    through.port = String(await cable.listen());
    process.env[URL_VARIABLE] = through.href;
    return new SharedHomes(test, cable);
  }

  async stop(): Promise<void> {
    this.cable.isCut = false;
    this.cable.isSilent = false;
    this.cable.fault = undefined;
    for (const mneme of this.#open) await mneme.close();
    this.cable.close();
    await this.test.stop();
    delete process.env[URL_VARIABLE];
  }

  /** The same name is the same machine, opened anew. */
  async open(name: string, lines: readonly string[] = [], actor = 'manual'): Promise<Mneme> {
    const { home, settings } = this.#folders.get(name) ?? (await this.#make(name));
    const added = [
      'index:',
      ...(lines.some((line) => line.includes(' engine:')) ? [] : ['  engine: postgres']),
      `  postgres_schema: ${SCHEMA}`,
      `  postgres_namespace: ${this.namespace}`,
      `  postgres_url_env: ${URL_VARIABLE}`,
      ...(lines.some((line) => line.includes('postgres_timeout_ms')) ? [] : ['  postgres_timeout_ms: 20000']),
      ...lines,
    ];
    fs.writeFileSync(path.join(home, 'mneme.yaml'), `${settings}${added.join('\n')}\n`);
    const mneme = await openMneme({ home, actor, parts: { clock: { now: () => (this.nowMs += 5) } } });
    this.#open.push(mneme);
    return mneme;
  }

  /** After what was wrong is right again, and long enough for the server to be tried anew. */
  mend(): void {
    this.cable.isCut = false;
    this.cable.isSilent = false;
    this.cable.fault = undefined;
    this.nowMs += 120_000;
  }

  async #make(name: string): Promise<{ home: string; settings: string }> {
    const home = makeTemporaryFolder('mneme-shared-');
    await initTestHome(home);
    const made = { home, settings: fs.readFileSync(path.join(home, 'mneme.yaml'), 'utf8') };
    this.#folders.set(name, made);
    return made;
  }
}
