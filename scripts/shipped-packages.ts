import fs from 'node:fs';
import path from 'node:path';

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
        /\.(?:tsx?|css)$/u.test(name) &&
        !/\.(?:test|config)\.tsx?$|testing\//u.test(name) &&
        !name.includes('node_modules'),
    )
    .map((name) => fs.readFileSync(path.join(root, name), 'utf8'))
    // What only tests use is not passed on.
    .filter((text) => !text.includes("from 'vitest'"))
    .join('\n');
  return Object.keys(devDependencies).filter(
    (name) =>
      !Object.hasOwn(dependencies, name) &&
      new RegExp(`(?:from|import\\(|url\\()\\s*'${name}(?:/[^']*)?'`, 'u').test(sources),
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

/** The name of the package that lies at a place of the lock file. */
export function nameOf(place: string): string {
  return place.replace(/^.*node_modules\//u, '');
}

/** What users get: the packages that npm installs with ours, and those that the bundle takes in, by their place. */
export function shippedPackages(): readonly (readonly [string, LockedPackage])[] {
  const locked = (readJson('package-lock.json') as { packages: Record<string, LockedPackage> }).packages;
  const bundled = withWhatTheyNeed(bundledNames(), locked);
  return Object.entries(locked).filter(
    ([place, { dev, devOptional, link }]) =>
      place.startsWith('node_modules/') &&
      link !== true &&
      ((dev !== true && devOptional !== true) || bundled.has(place)),
  );
}
