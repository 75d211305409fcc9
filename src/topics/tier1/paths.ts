import picomatch from 'picomatch';

/** Longer ones are no paths, and globs must not be made to work on them. */
const MAX_PATH = 1000;

/** Code of others and generated files are not the subject of a project's topics. */
const OTHERS = /(?:^|\/)(?:node_modules|vendor|\.venv|site-packages|dist|\.git)\//u;

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/|~\/)/u.test(path);
}

/**
 * A glob over paths, wherever the project's folder lies: `src/*.ts` is found in `/home/ada/shop/src/cart.ts` too, and a
 * bare name such as `*.py` in every folder.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  const wanted = glob.replaceAll('\\', '/').replace(/^\.?\/+/u, '');
  const isMatch = picomatch(wanted, { dot: true, nocase: true, basename: !wanted.includes('/') });
  const isInside = picomatch(`**/${wanted}`, { dot: true, nocase: true });
  return (path) => {
    if (path === '' || path.length > MAX_PATH || (OTHERS.test(path) && !OTHERS.test(wanted))) return false;
    const normal = path.replaceAll('\\', '/').replace(/^(?:\.\/+)+/u, '');
    return isMatch(normal) || (isAbsolute(normal) && isInside(normal.replace(/^\/+/u, '')));
  };
}

const PATH_IN_TEXT = /(?:^|[\s`"'(])((?:[\w.@-]+\/)*[\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,9})(?=$|[\s`"'),:;!?.])/gu;

/** Paths as a message names them; a word with a dot in it is good enough, the globs decide. */
export function findPaths(text: string): string[] {
  return [...text.matchAll(PATH_IN_TEXT)].map(([, path]) => path ?? '');
}
