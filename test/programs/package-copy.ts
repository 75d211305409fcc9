import fs from 'node:fs';
import path from 'node:path';

const CHECKOUT = path.resolve(import.meta.dirname, '../..');

/**
 * The package as npm would install it, in a folder of its own: from a checkout the sources would run, whose start takes
 * longer than some programs wait for a server.
 */
export function copyPackage(folder: string): string {
  const manifest = fs.readFileSync(path.join(CHECKOUT, 'package.json'), 'utf8');
  const { files, dependencies } = JSON.parse(manifest) as {
    readonly files: readonly string[];
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const wanted = files.filter((name) => !name.includes('*') && fs.existsSync(path.join(CHECKOUT, name)));
  for (const name of [...wanted, 'package.json']) {
    fs.cpSync(path.join(CHECKOUT, name), path.join(folder, name), { recursive: true });
  }
  // npm installs a global package's dependencies inside of it.
  for (const name of Object.keys(dependencies)) {
    fs.cpSync(path.join(CHECKOUT, 'node_modules', name), path.join(folder, 'node_modules', name), {
      recursive: true,
      dereference: true,
    });
  }
  return path.join(folder, 'bin', 'mneme');
}
