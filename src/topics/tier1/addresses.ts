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
