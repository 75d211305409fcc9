import { configureGlobal } from 'fast-check';

/**
 * The same random cases for everybody, so that a red run is the change's doing. `npm run test:random` draws new ones; what
 * it finds becomes a test of its own.
 */
const given = process.env['MNEME_TEST_SEED'];
if (given !== 'random') configureGlobal({ seed: Number(given ?? 20_261_115) });
