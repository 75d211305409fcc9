import type { SecretRule, SecretSpan } from './rule.ts';

const HEADER = /-----BEGIN ?(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const FOOTER = /-----END ?(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** The body of a key without its last line, line breaks escaped or not. */
const KEY_BODY = /^(?:[A-Za-z0-9+/=\s]|\\[nr]){0,20000}/;
/** The smallest real key has 48 bytes of payload; a sample such as `...` or `MIIE…` has less. */
const MIN_PAYLOAD_CHARACTERS = 40;

/** Measures the part after a header that belongs to the key, and how much of it is payload. */
function measureKey(rest: string): { readonly length: number; readonly payload: string } {
  const footer = FOOTER.exec(rest);
  const body = footer === null ? (KEY_BODY.exec(rest)?.[0] ?? '').trimEnd() : rest.slice(0, footer.index);
  return { length: body.length + (footer?.[0].length ?? 0), payload: body.replace(/\\[nr]|\s/g, '') };
}

/** Whole blocks in PEM form (RSA, EC, OpenSSH, PGP …), also inside JSON and with the end cut off. */
export const privateKeyRule: SecretRule = {
  *find(text): Iterable<SecretSpan> {
    const headers = [...text.matchAll(HEADER)];
    for (const [position, header] of headers.entries()) {
      const bodyStart = header.index + header[0].length;
      // The next header bounds the search, so that a text of headers without ends stays linear.
      const { length, payload } = measureKey(text.slice(bodyStart, headers[position + 1]?.index));
      if (payload.length < MIN_PAYLOAD_CHARACTERS || payload.includes('...')) continue;
      yield { rule: 'private-key', start: header.index, end: bodyStart + length, shownPrefix: '' };
    }
  },
};

const PUTTY_HEADER = /PuTTY-User-Key-File-\d:/g;
/** Behind the public half, which is at most a few kilobytes. */
const PUTTY_SECRET = /Private-Lines: ?\d{1,4}(?:\s|\\[nr])+[A-Za-z0-9+/=](?:[A-Za-z0-9+/=\s]|\\[nr]){15,20000}/;
const PUTTY_MAC = /^(?:\s|\\[nr])*(?:Private-)?(?:MAC|Hash): ?[0-9a-f]{32,128}/;
const PUTTY_MAX_CHARACTERS = 30_000;

/** Key files of PuTTY, from their first line to the sum at their end. */
export const puttyKeyRule: SecretRule = {
  *find(text): Iterable<SecretSpan> {
    const headers = [...text.matchAll(PUTTY_HEADER)];
    for (const [position, { index }] of headers.entries()) {
      const end = Math.min(headers[position + 1]?.index ?? text.length, index + PUTTY_MAX_CHARACTERS);
      const block = text.slice(index, end);
      const match = PUTTY_SECRET.exec(block);
      if (match === null) continue;
      // The name of what follows is made of the same letters.
      const secretEnd = match.index + match[0].replace(/(?:Private|MAC|Hash)?$/u, '').trimEnd().length;
      const mac = PUTTY_MAC.exec(block.slice(secretEnd))?.[0].length ?? 0;
      yield { rule: 'private-key', start: index, end: index + secretEnd + mac, shownPrefix: '' };
    }
  },
};
