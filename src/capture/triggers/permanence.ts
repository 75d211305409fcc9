import type { Stretch } from '../../judge/handed-over/sentences.ts';

/** Said of forgetting: it is to be erased, not archived. */
const FOR_GOOD =
  /(?<![\p{L}\p{N}])(?<not>(?:not|dont|don['’]t|without|never|nicht|no|sin|pas|ne|sans) )?(?:permanently|forever|for good|for ever|irrevocably|once and for all|for all time|erase|wipe|purge|endgültig|für immer|dauerhaft|unwiderruflich|permanent|ein für alle ?mal|para siempre|permanentemente|definitivamente|de (?:forma|manera) (?:permanente|definitiva)|de una vez por todas|définitivement|pour toujours|à jamais|pour de bon|une fois pour toutes|de façon permanente)(?![\p{L}\p{N}])/giu;

/** Whether a request says so beside what is to go, not in it: "forget that I moved permanently to Oslo" asks for less. */
export function isPermanent(own: string, { start, end }: Stretch, content: Stretch | undefined): boolean {
  return Array.from(own.slice(start, end).matchAll(FOR_GOOD)).some(({ index, groups, 0: words }) => {
    const [from, to] = [start + index, start + index + words.length];
    const isInside = content !== undefined && from >= content.start && to <= content.end;
    return groups?.['not'] === undefined && !isInside;
  });
}
