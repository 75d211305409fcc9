/**
 * An older Node has no such module, and would say nothing but that. Imported like this, it is looked for when everything is
 * loaded, and who imports the library is told what to do.
 */
const SQLITE = `
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  throw new Error(
    'mneme needs Node 22.18 or newer; this is Node ' + process.versions.node + '.\\n' +
      'Install a current one from https://nodejs.org, or with a version manager: nvm install 24, fnm install 24, volta install node@24.',
  );
}
export const { DatabaseSync, StatementSync, backup, constants } = process.getBuiltinModule('node:sqlite');
`;

/**
 * Modules of Node that bundled packages import for one thing that we do not use, or that is at hand: `node:process` sets up
 * reports and threads, `node:child_process` the network. Each costs a start some milliseconds. By importing package.
 */
const REPLACEMENTS: readonly (readonly [importer: RegExp, module: RegExp, code: string])[] = [
  [/[\\/]commander[\\/]/u, /^node:process$/u, 'export default globalThis.process;'],
  [/./u, /^node:sqlite$/u, SQLITE],
  [/[\\/]yaml[\\/]/u, /^process$/u, 'module.exports = globalThis.process;'],
  // Commander starts the programs of subcommands that are programs of their own.
  [/[\\/]commander[\\/]/u, /^node:child_process$/u, 'export default {};'],
  [
    /[\\/]commander[\\/]/u,
    /^node:util$/u,
    String.raw`export const stripVTControlCharacters = (text) => text.replace(/\u001B\[[0-9;]*m/g, '');`,
  ],
];

export const withLeanBuiltins = {
  name: 'lean-builtins',
  resolveId(module: string, importer: string | undefined): string | null {
    const place = REPLACEMENTS.findIndex(([by, name]) => name.test(module) && by.test(importer ?? ''));
    return place === -1 ? null : `\0lean-builtin-${place}`;
  },
  load(id: string): string | null {
    return REPLACEMENTS[Number(/^\0lean-builtin-(\d+)$/u.exec(id)?.[1])]?.[2] ?? null;
  },
};
