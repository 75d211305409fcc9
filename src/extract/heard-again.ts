import { sameWords } from '../model/same-words.ts';
import type { FactMetadata } from '../model/schemas/item.ts';
import type { Hit } from '../retrieve/hit.ts';
import type { MemorySearch } from '../retrieve/search.ts';
import { parseEpisodes } from '../workspace/formats/episode.ts';
import { renderItemMetadata } from '../workspace/formats/item.ts';
import { parseMetadataLine } from '../workspace/formats/metadata.ts';
import { parseDocument } from '../workspace/markdown/document.ts';

/** An entry of a day that says what somebody wants remembered again. */
export interface KnownEntry {
  readonly id: string;
  readonly path: string;
}

/** Beyond the best few nothing says the same. */
const MAX_LOOKED_AT = 5;

/** Entries of some day about the same, best first. Nobody asked: it does not count as a use of them. */
export async function findAlikeEntries(search: Pick<MemorySearch, 'ask'>, text: string): Promise<readonly Hit[]> {
  const filter = { scopes: ['shared'], stores: ['episodic'] } as const;
  const request = { text, filter, limit: MAX_LOOKED_AT, tokens: undefined, isWorkspaceOnly: true, isUnlisted: true };
  return (await search.ask(request)).hits;
}

/** Finds the entry with the same words. */
export function findSameEntry(
  alike: readonly Hit[],
  text: string,
  readFile: (path: string) => string | undefined,
): KnownEntry | undefined {
  return alike.find(({ path, id }) => entrySays(readFile(path), id, text));
}

export function entrySays(file: string | undefined, id: string, text: string): boolean {
  const words = file === undefined ? undefined : readEntryText(file, id);
  return words !== undefined && sameWords(words, text);
}

/** Reads all of an entry from its file: a hit shows passages, with their day and with neighbours. */
export function readEntryText(file: string, id: string): string | undefined {
  return parseEpisodes(parseDocument(file)).entries.find((entry) => entry.id === id)?.text;
}

export interface Hearing {
  readonly date: string;
  /** `ses_…#t4`, where it was said in a conversation. */
  readonly evidence?: string | undefined;
}

/** The day's file with one more hearing noted at an entry; undefined when the entry is gone. What it says stays as it is. */
export function noteHeardAgain(text: string, id: string, { date, evidence }: Hearing): string | undefined {
  const document = parseDocument(text);
  const { entries, defaults } = parseEpisodes(document);
  const entry = entries.find((each) => each.id === id);
  if (entry === undefined) return undefined;
  const { confidence: _confidence, tags: _tags, ...meta }: FactMetadata = entry.meta;
  const cited = meta.evidence ?? [];
  const own = `${meta.session}#${meta.turn}`;
  if (evidence !== undefined && (evidence === own || cited.includes(evidence))) return text;
  const noted: FactMetadata = {
    ...meta,
    verified: (meta.verified ?? 0) + 1,
    last_verified: date,
    ...(evidence === undefined ? {} : { evidence: [...cited, evidence] }),
  };
  const lines = text.split('\n');
  const line = renderItemMetadata(noted, defaults);
  const isNoted = parseMetadataLine(lines[entry.startLine] ?? '') !== undefined;
  lines.splice(entry.startLine, isNoted ? 1 : 0, line);
  return lines.join('\n');
}
