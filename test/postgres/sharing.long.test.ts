import { afterAll, afterEach, beforeAll } from 'vitest';
import { describeCoordination } from './coordination-tests.ts';
import { describeHomes } from './home-tests.ts';
import { SharedHomes } from './shared-homes.ts';
import { describeAttacks } from './tenant-attacks.ts';
import { describeTrouble } from './trouble-tests.ts';

/** One server and two homes for all of them: starting those takes longer than the tests. */
let homes: SharedHomes;
beforeAll(async () => {
  homes = await SharedHomes.start();
});
// What one test broke is no business of the next.
afterEach(() => homes.mend());
afterAll(() => homes.stop());

// SPEC MACHINE-3, MACHINE-4, MACHINE-5, MACHINE-6, MACHINE-7
describeCoordination(() => homes);
describeTrouble(() => homes);
describeHomes(() => homes);
describeAttacks(() => homes);
