import { CORE_FILE, coreBullets } from '../../memory/stores/core-bullets.ts';
import { lowestTrust, scopeCanSee, scopeFolder, type Scope, type Trust } from '../../model/provenance.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { placeOf, withoutOthers } from '../../workspace/formats/layout.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { locateBlocks, sectionsOf, textOf } from '../../workspace/formats/sections.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { attributedText, attributedTitle, trustOfBlocks } from '../attribute.ts';
import { quoteLine, quoteText } from '../fence.ts';
import { formOf, UNSCORED, type Piece } from '../piece.ts';
import { formsOf } from '../shorten.ts';
import type { World } from '../world.ts';

const IDENTITY_FILES = ['SOUL.md', 'IDENTITY.md', 'USER.md', 'AGENTS.md', 'TOOLS.md'];

/** P0: what the host tells its agent, as given. */
export function systemPieces(system: string | undefined): Piece[] {
  if (system === undefined || system.trim() === '') return [];
  const forms = [formOf('full', () => system)] as const;
  const origin = { id: 'system', path: 'the system prompt', ...UNDATED, trust: 'user', scope: 'shared' } as const;
  return [{ tag: 'system', origin, forms, said: system, position: 0, ...UNSCORED }];
}

/** P0: who the agent and its user are, as written. */
export async function identityPieces(world: World, scope: Scope): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const [position, path] of IDENTITY_FILES.entries()) {
    const file = placeOf(path, world.layout).kind === 'identity' ? await readSeen(world, path, scope) : undefined;
    const { said, text, trust } = file === undefined ? NOTHING : visibleMarkdown(file);
    if (text === '') continue;
    const forms = [formOf('full', () => `# ${path}\n${text}`)] as const;
    const origin = { id: path, path, ...UNDATED, trust, scope: 'shared' } as const;
    pieces.push({ tag: 'identity', origin, forms, said, position, isWholeFile: true, ...UNSCORED });
  }
  return pieces;
}

/** Without items that are marked as another scope's than the one that is told. */
async function readSeen(world: World, path: string, told: Scope): Promise<string | undefined> {
  const text = await world.readFile(path);
  return text === undefined ? undefined : withoutOthers(text, (owner) => scopeCanSee(told, owner));
}

/** P1: core memory by its sections, each shorter where it does not fit; of a scope, its own. */
export async function corePieces(world: World, scope: Scope, told: Scope): Promise<Piece[]> {
  const path = `${scopeFolder(scope)}${CORE_FILE}`;
  const file = await readSeen(world, path, told);
  if (file === undefined) return [];
  const document = parseDocument(withoutMark(file));
  const defaults = itemDefaults('memory', document.frontmatter?.values);
  const trusts = trustOfBlocks(locateBlocks(document), defaults);
  return sectionsOf(document).flatMap(({ title, blocks, heading: headingAt }, at) => {
    const quoted = attributedText(blocks, defaults);
    if (quoted === '') return [];
    const id = title === '' ? path : `${path}#${title}`;
    const titleTrust = trusts[headingAt] ?? 'user';
    const trust = lowestTrust([titleTrust, ...trustOfBlocks(blocks, defaults)]);
    const heading = title === '' ? '' : `## ${attributedTitle(title, titleTrust)}`;
    const piece: Piece = {
      tag: 'core',
      origin: { id, path, ...UNDATED, trust, scope },
      forms: formsOf(heading, quoted, `${heading === '' ? '' : `${heading} `}→ ${quoteLine(id)}`),
      said: visibleText(textOf(blocks)).trim(),
      // The shared core stands first.
      position: scope === 'shared' ? at : at + SCOPED,
      ...UNSCORED,
    };
    return [piece];
  });
}

/** By the id of a statement, the line of core memory that states it. */
export async function statedInCore(world: World): Promise<ReadonlyMap<string, string>> {
  const file = await world.readFile(CORE_FILE);
  const bullets = file === undefined ? [] : coreBullets(parseDocument(withoutMark(file)));
  return new Map(bullets.flatMap(({ states, text }) => (states === undefined ? [] : [[states, text] as const])));
}

const SCOPED = 1000;
const UNDATED = { source: null, session: null, turn: null, time: null } as const;

/** A file nobody has indexed yet is as its owner wrote it. */
export function trustOf(passages: readonly StoredPassage[]): Trust {
  return passages.length === 0 ? 'user' : lowestTrust(passages.map(({ trust }) => trust));
}

const NOTHING = { said: '', text: '', trust: 'user' } as const;

/** The words of an identity file, and how they are told. */
function visibleMarkdown(source: string): { readonly said: string; readonly text: string; readonly trust: Trust } {
  const document = parseDocument(withoutMark(source));
  const blocks = locateBlocks(document);
  const defaults = itemDefaults('identity', document.frontmatter?.values);
  const trust = lowestTrust(['user', ...trustOfBlocks(blocks, defaults)]);
  return { said: quoteText(visibleText(textOf(blocks))).trim(), text: attributedText(blocks, defaults), trust };
}

export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF+/u, '');
}
