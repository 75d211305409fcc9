import fs from 'node:fs';
import path from 'node:path';

/** Writes the licences of all bundled modules, and of `packages` whose files are copied, into a file beside the bundle. */
export const withLicences = (fileName: string, packages: readonly string[] = []) => ({
  name: 'with-licences',
  generateBundle(this: {
    getModuleIds: () => IterableIterator<string>;
    emitFile: (file: { type: 'asset'; fileName: string; source: string }) => string;
  }) {
    const bundled = [...this.getModuleIds()].flatMap(
      (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/u.exec(id)?.[0] ?? [],
    );
    const copied = packages.map((name) => path.join(import.meta.dirname, '../node_modules', name));
    const folders = new Set([...bundled, ...copied]);
    if (folders.size === 0) return;
    const texts = [...folders].toSorted().flatMap((folder) => {
      const file = fs.readdirSync(folder).find((name) => /^licen[cs]e/iu.test(name));
      const { name, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
        readonly name?: string;
        readonly license?: string;
      };
      if (name === undefined) return [];
      const text =
        file === undefined
          ? `Licence: ${license ?? 'see its repository'}`
          : fs.readFileSync(path.join(folder, file), 'utf8');
      return [`${name}\n\n${text.trim()}\n`];
    });
    this.emitFile({ type: 'asset', fileName, source: texts.join(`\n${'-'.repeat(72)}\n\n`) });
  },
});
