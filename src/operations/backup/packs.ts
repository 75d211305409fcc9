import fs from 'node:fs';
import path from 'node:path';
import type { PackPart, PartsRepository } from '../../maintain/backup/manifest.ts';
import { planPackMerge } from '../../maintain/backup/pack-merge.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { PartStore } from './part-store.ts';
import type { FrozenRepository } from './repositories.ts';

interface PackedHistory {
  readonly referenceList: string;
  readonly packs: readonly PackPart[];
}

/** Adds what a history has gained since an earlier backup; without one, or after a rewriting, all of it. */
export async function storeHistory(
  repository: FrozenRepository,
  earlier: PartsRepository | undefined,
  { store, scratch }: { readonly store: PartStore; readonly scratch: string },
): Promise<PackedHistory> {
  const { git, lines } = repository;
  const referenceList = store.add(Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8'));
  const isThere = ({ sha256, before }: PackPart): boolean =>
    store.has(sha256) && (before === null || store.has(before));
  const earlierPacks = (earlier?.packs ?? []).every(isThere) ? (earlier?.packs ?? []) : [];
  if (earlier?.referenceList === referenceList && earlierPacks.length > 0)
    return { referenceList, packs: earlierPacks };
  const { kept, before } = planPackMerge(
    earlierPacks,
    earlierPacks.length > 0 ? (earlier?.referenceList ?? null) : null,
  );
  const known = before === null || !store.has(before) ? undefined : readLines(store, before);
  if (known !== undefined && (await hasAll(git, known))) {
    const packs = await storePack(git, lines, { known, before }, { store, scratch });
    return { referenceList, packs: [...kept, ...packs] };
  }
  const packs = await storePack(git, lines, { known: [], before: null }, { store, scratch });
  return { referenceList, packs };
}

/** Puts the objects of all packs into a repository; git checks each of them. */
export async function fetchPacks(git: Git, store: PartStore, packs: readonly PackPart[]): Promise<void> {
  const folder = path.join(git.location.gitDir, 'objects', 'pack');
  fs.mkdirSync(folder, { recursive: true });
  for (const [index, { sha256, before }] of packs.entries()) {
    const file = path.join(folder, `pack-mneme${index}.pack`);
    await store.unpack(sha256, file);
    if (before === null) {
      await git.bytes(['index-pack', '--strict', file]);
    } else {
      // Git writes a pack of its own, with what the differences in this one are differences to.
      await git.bytes(['index-pack', '--strict', '--fix-thin', '--stdin'], { input: fs.readFileSync(file) });
      fs.rmSync(file);
    }
  }
}

export function readLines(store: PartStore, part: string): string[] {
  const text = store.read(part).toString('utf8').trimEnd();
  return text === '' ? [] : text.split('\n');
}

async function storePack(
  git: Git,
  lines: readonly string[],
  { known, before }: { readonly known: readonly string[]; readonly before: string | null },
  { store, scratch }: { readonly store: PartStore; readonly scratch: string },
): Promise<PackPart[]> {
  const old = new Set(known);
  const wanted = lines.filter((line) => !old.has(line)).map(idOf);
  // Tags stand on what a branch leads to; naming each of them again would cost more every day.
  const branches = known.filter((line) => !line.startsWith('refs/tags/')).map(idOf);
  const input = [...new Set(wanted), ...[...new Set(branches)].map((id) => `^${id}`)].join('\n');
  const args = ['pack-objects', '--revs', '--quiet', '--threads=1', '--delta-base-offset'];
  if (before !== null) {
    // Differences to what the packs before it hold are enough: a log of years gains a few lines a night.
    const pack = await git.bytes([...args, '--thin', '--stdout'], { input: `${input}\n` });
    return countObjects(pack) === 0 ? [] : [{ sha256: store.add(pack, { isPacked: true }), size: pack.length, before }];
  }
  const folder = fs.mkdtempSync(path.join(scratch, 'pack-'));
  await git.bytes([...args, path.join(folder, 'pack')], { input: `${input}\n` });
  const parts: PackPart[] = [];
  for (const name of fs.readdirSync(folder).filter((one) => one.endsWith('.pack'))) {
    const stored = await store.addStream(fs.createReadStream(path.join(folder, name)) as AsyncIterable<Buffer>);
    parts.push({ ...stored, before });
  }
  fs.rmSync(folder, { recursive: true, force: true });
  return parts;
}

/** As the head of a pack says: `PACK`, its version, their number. */
function countObjects(pack: Buffer): number {
  return pack.readUInt32BE(8);
}

/** False after an erasure has rewritten the history. Every tag stands on a branch, and there is one for each day. */
async function hasAll(git: Git, lines: readonly string[]): Promise<boolean> {
  const branches = lines.filter((line) => !line.startsWith('refs/tags/'));
  const ids = [...new Set((branches.length > 0 ? branches : lines).map(idOf))];
  const text = await git.text(['cat-file', '--batch-check=%(objecttype)'], { input: `${ids.join('\n')}\n` });
  return !text.includes('missing');
}

function idOf(line: string): string {
  return line.slice(line.lastIndexOf(' ') + 1);
}
