/** Words a message begins with that carry no content but tell how it is meant. */
const FREE = [
  'ok',
  'okay',
  'k',
  'so',
  'and',
  'but',
  'also',
  'btw',
  'by the way',
  'oh',
  'ah',
  'hey',
  'hi',
  'hello',
  'alright',
  'anyway',
  'anyways',
  'yeah',
  'yes',
  'yep',
  'yup',
  'ja',
  'well',
  'hm+',
  'um+',
  'uh+',
  'ugh',
  'plus',
  'then',
  'right',
  'cool',
  'aha',
  'haha',
  'lol',
  'oops',
  'damn',
  'wow',
  'nah',
  'nope',
  'actually',
  'ah',
  'oh',
];
const BEFORE_COMMA = [
  '(?:as|like) i (?:said|mentioned|told you)',
  'no',
  'now',
  'wait',
  'sorry',
  'good',
  'great',
  'perfect',
  'nice',
  'lovely',
  'fantastic',
  'brilliant',
  'wonderful',
  'awesome',
  'thanks',
  'thank you',
  'thx',
  'sure',
  'agreed',
  'exactly',
  'correct',
  'fair',
  'fair enough',
  'true',
  'fine',
  'done',
  'deal',
  'makes sense',
  'sounds good',
  'got it',
  'good point',
  'makes sense',
  'fyi',
  'for the record',
  'one more thing',
  'another thing',
  'last thing',
  'quick note',
  'small thing',
  'first',
  'second',
  'third',
  'also',
  'next',
  'finally',
  'look',
  'listen',
  'honestly',
  'basically',
  'anyhow',
  'good news',
  'bad news',
  'update',
  'note',
  'note to self',
  'correction',
  'important',
  'yes please',
  'no no',
  'hmm',
];

const OPENER = new RegExp(
  `^(?:(?:${FREE.join('|')})(?=[\\s,.:;!–—-]|$)[\\s,.:;!–—-]*|(?:${BEFORE_COMMA.join('|')})(?:\\s*[,.:;!–—]+\\s*|\\s+[-–—]+\\s+|$))`,
  'iu',
);

export interface Opened {
  readonly openers: readonly string[];
  readonly text: string;
}

/** Takes the openers off; what they were still decides about corrections and acceptance. */
export function takeOpeners(text: string): Opened {
  const openers: string[] = [];
  let rest = text.trim();
  for (;;) {
    const match = OPENER.exec(rest)?.[0];
    if (match === undefined || match === '') return { openers, text: rest };
    openers.push(
      match
        .toLowerCase()
        .replaceAll(/[^\p{L} ]/gu, '')
        .trim(),
    );
    rest = rest.slice(match.length).trimStart();
  }
}
