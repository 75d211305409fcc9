import { afterAll, beforeAll, describe } from 'vitest';
import { PostgresIndex } from '../../src/search-index/postgres/postgres-index.ts';
import { describeSearchIndex } from '../../src/search-index/testing/conformance.ts';
import { newName, startTestServer, type TestServer } from './server.ts';

describe('the conformance suite on PostgreSQL', () => {
  let server: TestServer;
  /** Namespaces of tests that are done: making one takes longer than emptying it. */
  const free: string[] = [];

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    const admin = new PostgresIndex({ ...optionsFor('admin') });
    for (const name of [...free, 'admin']) await admin.server.administer('SELECT erase_namespace($1)', name);
    await admin.close();
    await server.stop();
  });

  const optionsFor = (namespace: string) => ({
    url: server.url,
    schema: 'mneme_test',
    namespace,
    device: 'here',
    indexFromVectors: 1,
  });

  const open = async () => {
    const used = free.pop();
    const options = optionsFor(used ?? newName());
    const index = new PostgresIndex(options);
    if (used !== undefined) await index.clear();
    return {
      index,
      openAnother: () => Promise.resolve(new PostgresIndex({ ...options, device: 'there' })),
      dispose: () => Promise.resolve(void free.push(options.namespace)),
    };
  };
  describeSearchIndex('PostgresIndex', open, 8);
});
