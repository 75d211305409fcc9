import picomatch from 'picomatch';
import { RE2JS } from 're2js';

/** An address in a text, and where it stands. */
export interface FoundAddress {
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`|\\^{}]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,12}\/[^\s<>"'`|\\^{}]+/giu;

/** Addresses as people write them: with or without `https://`, and with the sentence's full stop behind them. */
export function findAddresses(text: string): FoundAddress[] {
  return [...text.matchAll(ADDRESS)].map((match) => {
    const address = match[0].replace(/[).,;:!?\]]+$/u, '');
    return { address, start: match.index, end: match.index + address.length };
  });
}

/** A host (`bahn.de`, with everything below it) or a glob over addresses. */
export function compileAddress(match: string): (address: string) => boolean {
  const wanted = bare(match);
  if (!wanted.includes('/')) {
    const host = compile(wanted.startsWith('*.') ? `{sub}${wanted.slice(2)}` : `{sub}${wanted}`);
    return (address) => host.matches(bare(address).replace(/[/?#:].*$/u, ''));
  }
  const pattern = compile(wanted.startsWith('*.') ? `{sub}${wanted.slice(2)}` : wanted);
  return (address) => pattern.matches(bare(address));
}

function bare(address: string): string {
  return address
    .toLowerCase()
    .replace(/^[a-z+.-]+:\/\//u, '')
    .replace(/^www\./u, '');
}

/** `*` stands for anything within a step of the path, at the end for all the rest. */
function compile(glob: string): RE2JS {
  const source = glob
    .split(/(\{sub\}|\*+$|\*+)/u)
    .map((part, index, parts) => {
      if (part === '{sub}') return '(?:[^/]*\\.)?';
      if (!part.startsWith('*')) return RE2JS.quote(part);
      return index >= parts.length - 2 || part.length > 1 ? '.*' : '[^/]*';
    })
    .join('');
  // A page below the one that was named is that place too.
  return RE2JS.compile(/[*/]$/u.test(glob) ? source : `${source}(?:[/?#].*)?`);
}

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
