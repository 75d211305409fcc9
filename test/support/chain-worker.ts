/** Adds to the chain of a home until it is killed; says the number of each entry once it is durable. */
import { openMneme } from '../../src/mneme.ts';

const [home = '', name = ''] = process.argv.slice(2);
const mneme = await openMneme({ home, scan: false });
for (let count = 1; ; count += 1) {
  const { seq } = await mneme.chain.add(`${name} says ${count}`);
  process.stdout.write(`${seq}\n`);
}
