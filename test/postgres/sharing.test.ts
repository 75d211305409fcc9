import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeCoordination } from './coordination-tests.ts';
import { describeHomes } from './home-tests.ts';
import { runMachines } from './machines.ts';
import { SCHEMA, SharedHomes } from './shared-homes.ts';
import { describeTrouble } from './trouble-tests.ts';

/** One server and two homes for all of them: starting those takes longer than the tests. */
let homes: SharedHomes;
beforeAll(async () => {
  homes = await SharedHomes.start();
});
afterAll(() => homes.stop());

describeCoordination(() => homes);
describeTrouble(() => homes);
describeHomes(() => homes);

/** The short form of `npm run test:scale`; no kills, because a killed process costs seconds. */
it('machines that write at once, with a cable that is cut now and then, end up with the same files', async () => {
  const { url } = homes.test;
  const summary = await runMachines({ url, mutations: 21, kills: 0, seed: 1, schema: SCHEMA, isInProcess: true });
  expect(summary).toMatchObject({ acknowledged: 21, jobs: 12, problems: [] });
  expect(summary.fences).toBeGreaterThan(0);
}, 300_000);
