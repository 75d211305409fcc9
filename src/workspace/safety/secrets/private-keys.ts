import type { SecretRule, SecretSpan } from './rule.ts';

const HEADER = /-----BEGIN ?(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const FOOTER = /-----END ?(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** What a key without its last line still consists of, line breaks escaped or not. */
const KEY_BODY = /^(?:[A-Za-z0-9+/=\s]|\\[nr]){0,20000}/;
/** The smallest real key has 48 bytes of payload; a sample such as `...` or `MIIE…` has less. */
const MIN_PAYLOAD_CHARACTERS = 40;

/** What follows a header and belongs to the key, and how much of it is payload. */
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
