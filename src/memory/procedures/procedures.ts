import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import type { Scope, Trust } from '../../model/provenance.ts';
import type { ProcedureKind } from '../../model/schemas/procedure.ts';
import { walkTree } from '../../platform/walk-tree.ts';
import { appendInOrder, documentTitle } from '../../workspace/formats/sections.ts';
import { HOME_LAYOUT, type Layout, placeOf } from '../../workspace/formats/layout.ts';
import { renderItem } from '../../workspace/formats/item.ts';
import {
  newProcedureFile,
  parseProcedure,
  PROCEDURE_SECTIONS,
  renderStep,
  type Procedure,
  type ProcedureSection,
} from '../../workspace/formats/procedure.ts';
import { itemIds } from '../../workspace/markdown/identity.ts';
import { type MarkdownDocument, parseDocument } from '../../workspace/markdown/document.ts';
import { slugify } from '../../workspace/safety/paths.ts';
import { sameWords } from '../../model/same-words.ts';
import {
  type Plan,
  type StoreParts,
  Told,
  editText,
  findDamage,
  newId,
  refuseDamaged,
  timestamp,
  timestampOf,
} from '../stores/plan.ts';
import { isSameStamp, readText, stampOf, type Stamp } from '../stores/registry/entity-files.ts';
import { oneLine } from '../../model/text.ts';

/** Where procedures may stand; the layout says which of the files there are some. */
const FOLDERS = ['memory/procedures', 'memory/scopes', 'skills'];

/** Every procedure of the workspace, by workspace path, sorted. */
function listProcedureFiles(root: string, layout: Layout): string[] {
  return FOLDERS.flatMap((folder) => listMarkdown(root, folder))
    .filter((file) => {
      const { kind, isArchived } = placeOf(file, layout);
      return kind === 'procedure' && !isArchived;
    })
    .sort();
}

function listMarkdown(root: string, folder: string): string[] {
  try {
    return walkTree(path.join(root, folder))
      .filter((entry) => entry.isFile() && /\.md$/iu.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

export interface NewProcedureFile {
  readonly name: string;
  readonly trigger: string;
  readonly steps: readonly string[];
  readonly notes?: readonly string[] | undefined;
  /** Where it was learned: sessions, turns, episodes. */
  readonly learnedFrom?: readonly string[] | undefined;
  readonly kind?: ProcedureKind | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The trust of all of it; the user's when not given. */
  readonly trust?: Trust | undefined;
  /** When it was said, where that was before it was learned: an imported log may be years old. */
  readonly saidMs?: number | undefined;
}

/** A procedure as it stands in the home. */
export interface KnownProcedure {
  readonly path: string;
  readonly scope: Scope;
  readonly procedure: Procedure;
  /** Why the file cannot be written to until a person has looked at it. */
  readonly damage: string | undefined;
}

export type ProcedureRef = Pick<KnownProcedure, 'path'> & { readonly damage?: string | undefined };

export interface ProcedureChanged {
  /** The amount that was new; existing parts are not repeated. */
  readonly added: number;
}

export interface ProcedurePlan extends Plan<ProcedureChanged> {
  readonly path: string;
}

const FOLDER = 'memory/procedures';
const MAX_NAMESAKES = 99;

/** The procedural store: how things are done. Adds lines to files, and never changes a line that is there. */
export class Procedures {
  readonly #parts: StoreParts;
  readonly #layout: Layout;
  readonly #read = new Map<string, { readonly stamp: Stamp; readonly known: KnownProcedure }>();

  constructor(parts: StoreParts, layout: Layout = HOME_LAYOUT) {
    this.#parts = parts;
    this.#layout = layout;
  }

  all(): KnownProcedure[] {
    const files = listProcedureFiles(this.#parts.root, this.#layout);
    for (const file of this.#read.keys()) if (!files.includes(file)) this.#read.delete(file);
    return files.flatMap((file) => this.#find(file) ?? []);
  }

  findCalled(name: string): KnownProcedure | undefined {
    return this.all().find(({ procedure }) => sameWords(procedure.name, name));
  }

  /** A new file; where one of that name is or comes into being meanwhile, it gets what it lacks. */
  planAdd(given: NewProcedureFile): ProcedurePlan {
    const name = oneLine(given.name.toWellFormed());
    if (name === '') throw new MnemeError('usage', 'A procedure needs a name.');
    const file = this.#placeFor(name);
    refuseDamaged(file, this.#find(file)?.damage);
    const told = new Told<ProcedureChanged>();
    const nowMs = this.#parts.clock.now();
    const now = timestamp(this.#parts);
    const said = timestampOf(Math.min(given.saidMs ?? nowMs, nowMs));
    const id = newId(this.#parts);
    const edit = (current: string | undefined): string => {
      if (current === undefined) {
        told.set({ added: given.steps.length });
        return newFile({ ...given, name }, id, now, said);
      }
      refuseOther(file, current, name);
      return this.#extend(file, current, linesOf(given), told);
    };
    return { path: file, changes: [{ path: file, edit }], notes: [], outcome: () => told.get() };
  }

  planSteps(procedure: ProcedureRef, steps: readonly string[]): ProcedurePlan {
    return this.#planLines(procedure, { Steps: steps });
  }

  planNotes(procedure: ProcedureRef, notes: readonly string[]): ProcedurePlan {
    return this.#planLines(procedure, { Notes: notes });
  }

  planLearnedFrom(procedure: ProcedureRef, sources: readonly string[]): ProcedurePlan {
    return this.#planLines(procedure, { 'Learned From': sources });
  }

  #planLines({ path: file, damage }: ProcedureRef, lines: Lines): ProcedurePlan {
    refuseDamaged(file, damage);
    const told = new Told<ProcedureChanged>();
    const edit = (current: string | undefined): string => {
      if (current === undefined) throw new MnemeError('not-found', `There is no ${file} any more.`);
      return this.#extend(file, current, lines, told);
    };
    return { path: file, changes: [{ path: file, edit }], notes: [], outcome: () => told.get() };
  }

  #extend(file: string, current: string, lines: Lines, told: Told<ProcedureChanged>): string {
    return editText(file, current, timestamp(this.#parts), (document) => {
      let added = 0;
      let grown = document;
      for (const [section, texts] of Object.entries(lines) as [ProcedureSection, readonly string[]][]) {
        for (const text of texts.map((line) => oneLine(line.toWellFormed())).filter((line) => line !== '')) {
          const next = addLine(grown, file, section, text, newId(this.#parts));
          if (next !== grown) added += 1;
          grown = next;
        }
      }
      told.set({ added });
      return grown;
    });
  }

  #placeFor(name: string): string {
    const base = slugify(name);
    for (let count = 1; count <= MAX_NAMESAKES; count += 1) {
      const file = `${FOLDER}/${count === 1 ? base : `${base}-${count}`}.md`;
      const known = this.#find(file);
      if (known === undefined || known.damage !== undefined || sameWords(known.procedure.name, name)) return file;
    }
    throw new MnemeError('refused', `There are ${MAX_NAMESAKES} procedures called ${base} already.`);
  }

  #find(file: string): KnownProcedure | undefined {
    const stamp = stampOf(this.#parts.root, file);
    const cached = this.#read.get(file);
    if (cached !== undefined && isSameStamp(cached.stamp, stamp)) return cached.known;
    const text = stamp === undefined ? undefined : readText(this.#parts.root, file);
    if (stamp === undefined || text === undefined) return undefined;
    const document = parseDocument(text);
    const procedure = parseProcedure(document, file);
    const { scope } = placeOf(file, this.#layout);
    const known = { path: file, scope, procedure, damage: findDamage(text, document.frontmatter) };
    this.#read.set(file, { stamp, known });
    return known;
  }
}

type Lines = Partial<Record<'Steps' | 'Notes' | 'Learned From', readonly string[]>>;

function linesOf({ steps, notes = [], learnedFrom = [] }: NewProcedureFile): Lines {
  return { Steps: steps, Notes: notes, 'Learned From': learnedFrom };
}

function refuseOther(file: string, current: string, name: string): void {
  const document = parseDocument(current);
  refuseDamaged(file, findDamage(current, document.frontmatter));
  const there = parseProcedure(document, file).name;
  if (sameWords(there, name) || sameWords(documentTitle(document) ?? '', name)) return;
  throw new MnemeError('conflict', `${file} was made meanwhile, for "${there}".`, {
    hint: 'Plan it again: it will get a file name of its own.',
  });
}

function newFile(given: NewProcedureFile, id: string, now: string, said: string): string {
  const { name, trigger, steps, notes = [], learnedFrom = [], kind = 'skill', tags = [], trust = 'user' } = given;
  return newProcedureFile({
    frontmatter: {
      kind,
      id,
      name,
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      ...(trust === 'user' ? {} : { trust }),
      learned: now,
      // The age of what it says: what an old log holds is not news on the day of its import.
      updated: said,
    },
    trigger: oneLine(trigger.toWellFormed()),
    steps: steps.map((description, index) => ({ order: index + 1, description })),
    sections: { Notes: notes, 'Learned From': learnedFrom },
  });
}

function addLine(
  document: MarkdownDocument,
  file: string,
  section: ProcedureSection,
  text: string,
  id: string,
): MarkdownDocument {
  const { steps, notes, learnedFrom } = parseProcedure(document, file);
  const known = {
    Steps: steps.map((step) => step.description),
    Notes: texts(notes),
    'Learned From': texts(learnedFrom),
  };
  const there: readonly string[] = section in known ? known[section as keyof typeof known] : [];
  if (there.some((line) => sameWords(line, text))) return document;
  const isFree = !itemIds(file, document).includes(id);
  const line =
    section === 'Steps'
      ? renderStep({ order: steps.length + 1, description: text })
      : renderItem({ id: isFree ? id : undefined, text, meta: {} }, {});
  return appendInOrder(document, section, Object.keys(PROCEDURE_SECTIONS), line, PROCEDURE_SECTIONS[section]);
}

function texts(items: readonly { readonly text: string }[]): string[] {
  return items.map(({ text }) => text);
}
