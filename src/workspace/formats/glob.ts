/** Globs over workspace paths: `*` within a folder, `**` across folders, `?`, `[a-z]` and `{a,b}`. */

const TOKEN = /\*\*\/|\*\*|\*|\?|\[[^\]]+\]|\{[^{}]+\}|[\s\S]/gu;

/** Case does not count: the same folder is opened on systems that ignore it. */
export function compileGlob(glob: string): RegExp {
  const source = glob.replace(TOKEN, translate);
  return new RegExp(`^${source}$`, 'iu');
}

function translate(token: string): string {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 2 && token.startsWith('[')) return token.replace(/^\[!/u, '[^').replaceAll('\\', String.raw`\\`);
  if (token.length > 2 && token.startsWith('{')) {
    const choices = token.slice(1, -1).split(',');
    return `(?:${choices.map((choice) => choice.replace(TOKEN, translate)).join('|')})`;
  }
  return token.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`);
}
