import { expect, it } from 'vitest';
import { runDoors } from './clients.ts';

// SPEC MCP-5
it('clients over HTTP and over pipes share a home, and no write is lost', async () => {
  const result = await runDoors({ http: 6, stdio: 2, rounds: 1 });
  expect(result).toMatchObject({ writes: 8, lost: 0, failed: [] });
});
