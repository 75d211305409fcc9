import { SECTIONS, type Section } from '../../operations/sections.ts';
import { EVERYDAY, GROUPS } from '../../verb-registry/groups.ts';
import { VERBS } from '../../verb-registry/verbs.generated.ts';
import type { CommandEntry } from './derive/command-tree.ts';
import { PROGRAMS } from './programs.generated.ts';

/** Every command of a verb or a program, by section; everyday ones in the order of EVERYDAY. */
export const COMMANDS: readonly CommandEntry[] = [
  // First, because a home is made by a program.
  ...PROGRAMS,
  ...VERBS.flatMap(({ command, load }) => (command === undefined ? [] : [{ command, load }])),
].toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf({ command }: CommandEntry): number {
  const [top = ''] = command.path.split(' ');
  const section: Section | undefined = GROUPS[top]?.section ?? command.section;
  const everyday = EVERYDAY.indexOf(top);
  const rank = section === undefined ? SECTIONS.length : SECTIONS.indexOf(section);
  return rank * 100 + (everyday === -1 ? 99 : everyday);
}
