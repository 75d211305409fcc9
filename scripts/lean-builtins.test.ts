import { describe, expect, it } from 'vitest';
import { withLeanBuiltins } from './lean-builtins.ts';

function replacementOf(module: string, importer: string): string | null {
  const id = withLeanBuiltins.resolveId(module, importer);
  return id === null ? null : withLeanBuiltins.load(id);
}

describe('modules of Node that bundled packages import', () => {
  it('are replaced for the packages that use next to nothing of them', () => {
    expect(replacementOf('node:process', '/x/node_modules/commander/lib/command.js')).toContain('globalThis.process');
    expect(replacementOf('process', '/x/node_modules/yaml/dist/log.js')).toContain('globalThis.process');
  });

  it('are left to everything else', () => {
    expect(replacementOf('node:child_process', '/x/src/platform/process.ts')).toBeNull();
    expect(replacementOf('node:util', '/x/src/workspace/config/parse.ts')).toBeNull();
    expect(withLeanBuiltins.load('/x/src/index.ts')).toBeNull();
  });

  it('are looked for by name where an old Node has none, with words on what to do', async () => {
    const code = replacementOf('node:sqlite', '/x/src/platform/sqlite.ts') ?? '';
    const onNode = (version: string): Promise<object> =>
      import(
        `data:text/javascript,${encodeURIComponent(code.replaceAll('process.versions.node', `'${version}'`))}`
      ) as Promise<object>;
    await expect(onNode('20.20.2')).rejects.toThrow(/^mneme needs Node 22\.18 or newer; this is Node 20\.20\.2\./u);
    await expect(onNode('22.17.1')).rejects.toThrow('nvm install 24');
    expect(Object.keys(await onNode('22.18.0'))).toContain('DatabaseSync');
  });

  it('take colours from a text as Commander does to count its width', async () => {
    const code = replacementOf('node:util', '/x/node_modules/commander/lib/help.js') ?? '';
    const { stripVTControlCharacters } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      readonly stripVTControlCharacters: (text: string) => string;
    };
    expect(stripVTControlCharacters('\u001B[1;32mgreen\u001B[0m and plain')).toBe('green and plain');
  });
});
