/**
 * Modules of Node that bundled packages import for one thing that we do not use, or that is at hand: `node:process` sets up
 * reports and threads, `node:child_process` the network. Each costs a start some milliseconds. By importing package.
 */
const REPLACEMENTS: readonly (readonly [importer: RegExp, module: RegExp, code: string])[] = [
  [/[\\/]commander[\\/]/u, /^node:process$/u, 'export default globalThis.process;'],
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
