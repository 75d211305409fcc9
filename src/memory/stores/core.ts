import { MnemeError, must } from '../../model/errors.ts';
import type { ItemMetadata } from '../../model/schemas/item.ts';
import { addCoreBullet, coreUsage, type CoreBlockName, type CoreCaps } from '../../workspace/formats/core.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { renderItem } from '../../workspace/formats/item.ts';
import { type MarkdownDocument, parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { replaceBlock } from '../../workspace/markdown/edit.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import {
  CORE_FILE,
  coreBullets,
  findExcess,
  removeBullet,
  STATES,
  textOfBullet,
  type CoreBullet,
} from './core-bullets.ts';
import { sameWords } from '../../model/same-words.ts';
import type { Episodes, NewEpisode } from './episodes.ts';
import { newId, timestamp, today, Told, type Plan, type StoreParts } from './plan.ts';
import { oneLine } from '../../model/text.ts';

export interface NewCoreBullet {
  readonly id?: string | undefined;
  readonly block: CoreBlockName;
  readonly text: string;
  readonly meta?: ItemMetadata | undefined;
  /** The item of a store that it states; a bullet that states the same, or one of `replaces`, gives way to it. */
  readonly states?: string | undefined;
  /** Items that no longer hold: bullets that state one of them give way. */
  readonly replaces?: readonly string[] | undefined;
}

export interface CoreOptions {
  /**
   * `move`: the least important bullets leave core memory. `keep`: all bullets stay; for a person, who may exceed the
   * limit a little and gets a warning from the write path.
   */
  readonly whenFull: 'move' | 'keep';
  /** The importance of a bullet; the least goes first. By its metadata when not given. */
  readonly relevance?: ((bullet: CoreBullet) => number) | undefined;
}

/** A bullet that had to leave core memory. */
export interface MovedBullet {
  readonly id: string;
  readonly block: CoreBlockName;
  readonly text: string;
  /** The item that states it in its store, or the file it was moved to under its own id. */
  readonly to: string;
}

export interface CoreChanged {
  /** `stored`: core memory is full of what is pinned, so the new one went to its store. */
  readonly outcome: 'added' | 'present' | 'replaced' | 'stored';
  readonly id: string;
  readonly moved: readonly MovedBullet[];
}

/** Core memory: always in context, and therefore small. */
export class Core {
  readonly #parts: StoreParts;
  readonly #episodes: Episodes;
  readonly #caps: CoreCaps;

  constructor(parts: StoreParts, episodes: Episodes, caps: CoreCaps) {
    this.#parts = parts;
    this.#episodes = episodes;
    this.#caps = caps;
  }

  /** A new bullet, within the block's share and the file's caps. What has to leave is kept in its store and linked. */
  planBullet(given: NewCoreBullet, options: CoreOptions): Plan<CoreChanged> {
    const id = given.id ?? newId(this.#parts);
    const text = oneLine(given.text.toWellFormed());
    if (text === '') throw new MnemeError('usage', 'A bullet needs words.');
    const told = new Told<CoreChanged>();
    let leaving: readonly Leaving[] = [];
    const late = this.#episodes.planLateEntries(() =>
      leaving.filter(({ bullet }) => bullet.states === undefined).map((left) => entryOf(left, id)),
    );
    const edit = (current: string | undefined): string => {
      const before = parseDocument(current ?? '');
      const result = place(
        before,
        { ...given, id, text, meta: this.#attributed(given.meta) },
        { ...options, caps: this.#caps },
      );
      leaving = result.leaving;
      const moved = leaving.map(({ bullet }) => ({
        id: bullet.id,
        block: bullet.block,
        text: bullet.text,
        to: bullet.states ?? late.path,
      }));
      told.set({ outcome: result.outcome, id: result.id, moved: moved.filter((bullet) => bullet.id !== id) });
      return this.#serialize(current ?? '', result.document);
    };
    return { changes: [{ path: CORE_FILE, edit }, late.change], notes: [], outcome: () => told.get() };
  }

  /** Takes out the bullets that state an item which no longer holds. A pinned one is a person's to take out. */
  planRetract(states: string): Plan<{ readonly removed: readonly string[]; readonly pinned: readonly string[] }> {
    const told = new Told<{ readonly removed: readonly string[]; readonly pinned: readonly string[] }>();
    const edit = (current: string | undefined): string | undefined => {
      const before = parseDocument(current ?? '');
      const stating = coreBullets(before).filter((bullet) => bullet.states === states || bullet.id === states);
      const going = stating.filter(({ isPinned }) => !isPinned);
      const pinned = stating.filter(({ isPinned }) => isPinned).map(({ id }) => id);
      told.set({ removed: going.map(({ id }) => id), pinned });
      if (current === undefined || going.length === 0) return current;
      return this.#serialize(current, removeBullets(before, going));
    };
    return { changes: [{ path: CORE_FILE, edit }], notes: [], outcome: () => told.get() };
  }

  /**
   * Lines that state what no longer holds say what holds now, or go. They state it by its id or in its words; a pinned one
   * is a person's to take out.
   */
  planEnd(
    ended: readonly { readonly id: string; readonly text: string }[],
    by?: { readonly id: string; readonly text: string; readonly importance: number },
  ): Plan<unknown> {
    const edit = (current: string | undefined): string | undefined => {
      const before = parseDocument(current ?? '');
      const stating = coreBullets(before).filter(
        ({ isPinned, states, text }) =>
          !isPinned && ended.some((one) => states === one.id || (states === undefined && sameWords(text, one.text))),
      );
      const [first, ...rest] = stating;
      if (current === undefined || first === undefined) return current;
      const isSaid = by === undefined || coreBullets(before).some(({ states }) => states === by.id);
      const cleared = removeBullets(before, isSaid ? stating : rest);
      if (isSaid) return this.#serialize(current, cleared);
      // The line keeps its id, so that undoing the change finds it.
      const meta = this.#attributed({ importance: by.importance });
      return this.#serialize(
        current,
        rewrite(cleared, first.id, { ...by, id: first.id, block: first.block, states: by.id, meta }),
      );
    };
    return { changes: [{ path: CORE_FILE, edit }], notes: [], outcome: () => undefined };
  }

  /** A line that says nothing of itself counts as the user's, so whatever is not says at least since when it is known. */
  #attributed(meta: ItemMetadata | undefined): ItemMetadata | undefined {
    return meta?.trust === 'user' ? meta : { learned: today(this.#parts), ...meta };
  }

  /** `updated` follows where the file has it; broken frontmatter stays as it is, the bullets below it do not need it. */
  #serialize(current: string, after: MarkdownDocument): string {
    const text = serializeDocument(after);
    const isDated = after.frontmatter?.values?.['updated'] !== undefined;
    if (text === current || !isDated) return text;
    return serializeDocument(setFrontmatterValue(after, 'updated', timestamp(this.#parts)));
  }
}

interface Leaving {
  readonly bullet: CoreBullet;
  /** With what stood below it. */
  readonly text: string;
}

interface Placed {
  readonly document: MarkdownDocument;
  readonly outcome: CoreChanged['outcome'];
  readonly id: string;
  readonly leaving: readonly Leaving[];
}

interface PlaceOptions extends CoreOptions {
  readonly caps: CoreCaps;
}

type Bullet = NewCoreBullet & { readonly id: string };

function place(before: MarkdownDocument, given: Bullet, options: PlaceOptions): Placed {
  const known = coreBullets(before);
  const same = known.find(
    ({ id, block, text }) => id === given.id || (block === given.block && sameWords(text, given.text)),
  );
  const outdated = known.filter((bullet) => bullet !== same && isReplaced(bullet, given));
  if (same !== undefined) {
    const document = removeBullets(before, outdated);
    return { document, outcome: outdated.length === 0 ? 'present' : 'replaced', id: same.id, leaving: [] };
  }
  const [first, ...rest] = outdated;
  const isInPlace = first !== undefined && first.block === given.block;
  const cleared = removeBullets(before, isInPlace ? rest : outdated);
  const room = makeRoom(isInPlace ? rewrite(cleared, first.id, given) : add(cleared, given), given, options);
  if (room === undefined) {
    // Outdated bullets are removed all the same; the new one is kept in its own store.
    const document = removeBullets(before, outdated);
    return { document, outcome: 'stored', id: given.id, leaving: [{ bullet: asBullet(given), text: given.text }] };
  }
  const document = link(room.document, given, room.leaving);
  return { document, outcome: first === undefined ? 'added' : 'replaced', id: given.id, leaving: room.leaving };
}

function isReplaced({ states, isPinned, id }: CoreBullet, given: Bullet): boolean {
  if (isPinned) return false;
  const gone = given.replaces ?? [];
  if (gone.includes(id)) return true;
  return states !== undefined && (states === given.states || gone.includes(states));
}

function metaOf(given: Bullet, related: readonly string[] = []): ItemMetadata {
  const links = [...new Set([...(given.meta?.related ?? []), ...related])];
  return {
    ...given.meta,
    ...(links.length === 0 ? {} : { related: links }),
    ...(given.states === undefined ? {} : { [STATES]: given.states }),
  };
}

function add(document: MarkdownDocument, given: Bullet): MarkdownDocument {
  return addCoreBullet(document, given.block, { id: given.id, text: given.text, meta: metaOf(given) });
}

/** In the place of the one it replaces. */
function rewrite(document: MarkdownDocument, id: string, given: Bullet, related?: readonly string[]): MarkdownDocument {
  const old = must(
    coreBullets(document).find((bullet) => bullet.id === id),
    `the bullet ^${id}`,
  );
  const defaults = itemDefaults('memory', document.frontmatter?.values);
  const line = renderItem({ id: given.id, text: given.text, meta: metaOf(given, related) }, defaults);
  return replaceBlock(document, old.index, line);
}

/** The new bullet names those that made room for it: a link that costs no token of what a model reads. */
function link(document: MarkdownDocument, given: Bullet, leaving: readonly Leaving[]): MarkdownDocument {
  const ids = leaving.map(({ bullet }) => bullet.states ?? bullet.id);
  return ids.length === 0 ? document : rewrite(document, given.id, given, ids);
}

/** Undefined when only pinned bullets are left and it still does not fit. */
function makeRoom(
  full: MarkdownDocument,
  { id, block }: Bullet,
  { whenFull, caps, relevance = usualRelevance }: PlaceOptions,
): { readonly document: MarkdownDocument; readonly leaving: readonly Leaving[] } | undefined {
  if (whenFull === 'keep') {
    refuseFarOver(full, block, caps);
    return { document: full, leaving: [] };
  }
  const single = findSingle(full, { id, block }, { caps, relevance });
  if (single !== undefined) {
    const left = { bullet: single, text: textOfBullet(full, single) };
    return { document: removeBullet(full, single), leaving: [left] };
  }
  const leaving: Leaving[] = [];
  let document = full;
  for (;;) {
    const excess = findExcess(document, block, caps);
    if (excess === undefined) return { document, leaving };
    const movable = coreBullets(document).filter(
      (bullet) => bullet.id !== id && !bullet.isPinned && (excess === 'file' || bullet.block === block),
    );
    const [first, ...others] = movable;
    if (first === undefined) return undefined;
    const least = others.reduce((low, bullet) => (relevance(bullet) < relevance(low) ? bullet : low), first);
    leaving.push({ bullet: least, text: textOfBullet(document, least) });
    document = removeBullet(document, least);
  }
}

/** The least relevant line that alone makes room enough: one that goes is better than several. */
function findSingle(
  full: MarkdownDocument,
  { id, block }: Pick<Bullet, 'id' | 'block'>,
  { caps, relevance }: { readonly caps: CoreCaps; readonly relevance: (bullet: CoreBullet) => number },
): CoreBullet | undefined {
  const excess = findExcess(full, block, caps);
  if (excess === undefined) return undefined;
  return coreBullets(full)
    .filter((bullet) => bullet.id !== id && !bullet.isPinned && (excess === 'file' || bullet.block === block))
    .sort((left, right) => relevance(left) - relevance(right))
    .find((bullet) => findExcess(removeBullet(full, bullet), block, caps) === undefined);
}

/** A person may go a little over a block's share. */
function refuseFarOver(document: MarkdownDocument, block: CoreBlockName, caps: CoreCaps): void {
  const own = coreUsage(document, caps).blocks.find(({ name }) => name === block);
  if (own === undefined || own.tokens <= own.maxTokens * caps.refuse_share) return;
  throw new MnemeError('refused', `${block} would have ${own.tokens} tokens; it may have ${own.maxTokens}.`, {
    hint: 'Take a line out first (`mneme core show`, `mneme core remove ID`), remember it elsewhere, or raise the limit (`mneme config list core`).',
  });
}

/** Of two that matter alike the older, which stands further up, goes first. */
function usualRelevance({ meta }: CoreBullet): number {
  return meta.importance + (meta.trust === 'user' ? 0.1 : 0);
}

function removeBullets(document: MarkdownDocument, bullets: readonly CoreBullet[]): MarkdownDocument {
  return bullets.toSorted((left, right) => right.index - left.index).reduce(removeBullet, document);
}

function asBullet({ id, block, text, meta = {}, states }: Bullet): CoreBullet {
  const resolved = { source: 'conversation', trust: 'agent', importance: 0.5, ...meta } as CoreBullet['meta'];
  return { id, block, text, meta: resolved, states, isPinned: false, index: -1 };
}

function entryOf({ bullet, text }: Leaving, newBullet: string): NewEpisode & { readonly id: string } {
  const { [STATES]: _states, pinned: _pinned, ...meta } = bullet.meta;
  const related = bullet.id === newBullet ? [] : [newBullet];
  const title =
    bullet.id === newBullet ? `meant for core memory, ${bullet.block}` : `out of core memory, ${bullet.block}`;
  return { id: bullet.id, type: 'fact', title, text, meta, related };
}
