import { nameOf, shippedPackages } from './shipped-packages.ts';

/** Licences under which what we ship may be used, changed and passed on with no more than a notice. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts: passed on with their licence, not sold alone.
  'OFL-1.1',
  'Unlicense',
  'Zlib',
]);

/** `(MIT OR GPL-3.0)` is allowed, `MIT AND GPL-3.0` is not. */
function isAllowed(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/gu, ' ').trim();
  return plain
    .split(/\s+OR\s+/u)
    .some((choice) => choice.split(/\s+AND\s+/u).every((each) => ALLOWED.has(each.trim())));
}

function check(): readonly string[] {
  const shipped = shippedPackages();
  const wrong = shipped.flatMap(([place, { license }]) =>
    license !== undefined && isAllowed(license) ? [] : [`${nameOf(place)}: ${license ?? 'says none'}`],
  );
  process.stdout.write(`${shipped.length} packages are shipped or needed; ${wrong.length} have no allowed licence.\n`);
  return wrong;
}

const wrong = check();
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join('\n')}\n`);
  process.exitCode = 1;
}
