/** `node scripts/demo-home.ts FOLDER`: the made-up home that the docs' pictures show. */
import { makeDemoHome } from '../src/interfaces/cli/programs/demo/make-demo-home.ts';

const [, , folder] = process.argv;
if (folder === undefined) {
  process.stderr.write('Where to? node scripts/demo-home.ts /tmp/demo\n');
  process.exitCode = 2;
} else {
  await makeDemoHome(folder);
  process.stdout.write(`Look at it: mneme --home ${folder} dashboard\n`);
}
