import fs from 'node:fs';
import path from 'node:path';
import { must } from '../../model/errors.ts';
import { scopeFolder, type Scope } from '../../model/provenance.ts';
import type { ItemMetadata } from '../../model/schemas/item.ts';
import type { EpisodeType } from '../../model/schemas/time.ts';
import { localTime, type LocalTime } from '../../model/time.ts';
import type { Change } from '../../workspace/door/request.ts';
import {
  addEpisodeMetadata,
  episodeFileFor,
  newEpisodeFile,
  renderEpisodeEntry,
  type EpisodeEntry,
} from '../../workspace/formats/episode.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { appendBlock } from '../../workspace/markdown/edit.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { newId, Told, type Plan, type StoreParts } from './plan.ts';

/** Something that happened. */
export interface NewEpisode {
  readonly id?: string | undefined;
  readonly text: string;
  readonly type: EpisodeType;
  readonly title?: string | undefined;
  /** When it happened; now when not given. The day it belongs to is the home's, not the machine's. */
  readonly timeMs?: number | undefined;
  readonly meta?: ItemMetadata | undefined;
  /** Ids of entries and facts it belongs with. */
  readonly related?: readonly string[] | undefined;
  readonly scope?: Scope | undefined;
}

export interface EpisodePlan extends Plan<{ readonly outcome: 'added' | 'present' }> {
  readonly id: string;
  readonly path: string;
}

/** Entries that only an edit knows: what another file of the same group had to let go. */
export interface LateEntries {
  readonly path: string;
  readonly change: Change;
}

interface Day {
  readonly date: string;
  readonly path: string;
  readonly part: number;
}

/** The episodic store: what happened, day by day, only ever appended to. */
export class Episodes {
  readonly #parts: StoreParts;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /** An entry at the end of its day; a full day goes on in another file. An id that is there already is not added. */
  planEntry(given: NewEpisode): EpisodePlan {
    return this.planEntries([given]);
  }

  /** Entries of one occasion, in their order; the plan goes by the first. */
  planEntries(given: readonly [NewEpisode, ...NewEpisode[]]): EpisodePlan {
    const [first] = given;
    const entries = given.map((each) => this.#entryOf({ ...each, id: each.id ?? newId(this.#parts) }));
    const id = must(entries[0]?.id, 'the id of an entry');
    const day = this.#dayOf(
      first,
      entries.reduce((bytes, entry) => bytes + Buffer.byteLength(renderEpisodeEntry(entry)), 0),
    );
    const told = new Told<{ readonly outcome: 'added' | 'present' }>();
    const edit = (current: string | undefined): string | undefined => {
      const text = append(current, day, entries);
      told.set({ outcome: text === current ? 'present' : 'added' });
      return text;
    };
    const changes = [{ path: day.path, edit }];
    return { id, path: day.path, changes, notes: [], outcome: () => told.get() };
  }

  /** Marks an entry as what no longer holds; it stays where it is. */
  planEnd(
    file: string,
    id: string,
    end: { readonly until: string; readonly supersededBy?: string | undefined },
  ): Plan<unknown> {
    const more = { until: end.until, ...(end.supersededBy === undefined ? {} : { superseded_by: end.supersededBy }) };
    const edit = (current: string | undefined): string | undefined =>
      current === undefined ? undefined : serializeDocument(addEpisodeMetadata(parseDocument(current), id, more));
    return { changes: [{ path: file, edit }], notes: [], outcome: () => undefined };
  }

  /** Appends what `entries` gives when the edit runs; no entries change nothing. */
  planLateEntries(entries: () => readonly (NewEpisode & { readonly id: string })[]): LateEntries {
    const day = this.#dayOf({}, 0);
    const edit = (current: string | undefined): string | undefined =>
      append(
        current,
        day,
        entries().map((entry) => this.#entryOf(entry)),
      );
    return { path: day.path, change: { path: day.path, edit } };
  }

  #entryOf({ id, text, type, title, timeMs, meta = {}, related = [] }: NewEpisode): EpisodeEntry {
    const { time } = this.#localTime(timeMs);
    const links = [...new Set([...(meta.related ?? []), ...related])];
    return { id, time, type, title, text, meta: { ...meta, ...(links.length === 0 ? {} : { related: links }) } };
  }

  #dayOf({ timeMs, scope = 'shared' }: Pick<NewEpisode, 'timeMs' | 'scope'>, addedBytes: number): Day {
    const { date } = this.#localTime(timeMs);
    const folder = `${scopeFolder(scope)}memory/episodes/`;
    return { date, ...episodeFileFor(date, this.#readSizes(folder, date), addedBytes, folder) };
  }

  #localTime(timeMs: number | undefined): LocalTime {
    return localTime(timeMs ?? this.#parts.clock.now(), this.#parts.timeZone);
  }

  /** Sizes of a day's files, by workspace path. */
  #readSizes(folder: string, date: string): Map<string, number> {
    const sizes = new Map<string, number>();
    for (let part = 1; ; part += 1) {
      const file = `${folder}${date}${part === 1 ? '' : `.${part}`}.md`;
      const size = fs.statSync(path.join(this.#parts.root, file), { throwIfNoEntry: false })?.size;
      if (size !== undefined) sizes.set(file, size);
      else if (part > 1) return sizes;
    }
  }
}

function append(current: string | undefined, day: Day, entries: readonly EpisodeEntry[]): string | undefined {
  if (entries.length === 0) return current;
  const before = parseDocument(current ?? newEpisodeFile(day.date, day.part));
  const known = new Set(before.blocks.map((block) => block.id));
  const fresh = entries.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return current;
  const defaults = itemDefaults('episode', before.frontmatter?.values);
  return serializeDocument(
    fresh.reduce((document, entry) => appendBlock(document, renderEpisodeEntry(entry, defaults)), before),
  );
}
