import fs from 'node:fs';
import path from 'node:path';

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
  'Unlicense',
  'Zlib',
]);

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const root = path.resolve(import.meta.dirname, '..');

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as Record<string, unknown>;
}

/** `(MIT OR GPL-3.0)` is allowed, `MIT AND GPL-3.0` is not. */
function isAllowed(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/gu, ' ').trim();
  return plain
    .split(/\s+OR\s+/u)
    .some((choice) => choice.split(/\s+AND\s+/u).every((each) => ALLOWED.has(each.trim())));
}

/** Development dependencies that the bundle takes in: they are passed on too. */
function bundledNames(): string[] {
  const { dependencies = {}, devDependencies = {} } = readJson('package.json') as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const sources = ['src', 'dashboard']
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(folder, name)),
    )
    .filter(
      (name) =>
        /\.tsx?$/u.test(name) && !/\.(?:test|config)\.tsx?$|testing\//u.test(name) && !name.includes('node_modules'),
    )
    .map((name) => fs.readFileSync(path.join(root, name), 'utf8'))
    // What only tests use is not passed on.
    .filter((text) => !text.includes("from 'vitest'"))
    .join('\n');
  return Object.keys(devDependencies).filter(
    (name) =>
      !Object.hasOwn(dependencies, name) && new RegExp(`(?:from|import\\()\\s*'${name}(?:/[^']*)?'`, 'u').test(sources),
  );
}

function withWhatTheyNeed(names: readonly string[], locked: Readonly<Record<string, LockedPackage>>): Set<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const place = `node_modules/${name}`;
    if (found.has(place)) continue;
    found.add(place);
    waiting.push(...Object.keys(locked[place]?.dependencies ?? {}));
  }
  return found;
}

function check(): readonly string[] {
  const locked = (readJson('package-lock.json') as { packages: Record<string, LockedPackage> }).packages;
  const bundled = withWhatTheyNeed(bundledNames(), locked);
  const shipped = Object.entries(locked).filter(
    ([place, { dev, devOptional, link }]) =>
      place.startsWith('node_modules/') &&
      link !== true &&
      ((dev !== true && devOptional !== true) || bundled.has(place)),
  );
  const wrong = shipped.flatMap(([place, { license }]) =>
    license !== undefined && isAllowed(license)
      ? []
      : [`${place.replace(/^.*node_modules\//u, '')}: ${license ?? 'says none'}`],
  );
  process.stdout.write(`${shipped.length} packages are shipped or needed; ${wrong.length} have no allowed licence.\n`);
  return wrong;
}

const wrong = check();
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join('\n')}\n`);
  process.exitCode = 1;
}
