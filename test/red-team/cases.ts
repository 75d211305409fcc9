import { BOMBS } from './families/bombs.ts';
import { CLONES } from './families/clones.ts';
import { COMMANDS } from './families/commands.ts';
import { COPIED } from './families/copied-repository.ts';
import { ERASURE_REACH } from './families/erasure-reach.ts';
import { ERASURES } from './families/erasures.ts';
import { FENCES } from './families/fences.ts';
import { HOSTILE_FOLDERS } from './families/hostile-folders.ts';
import { HOSTILE_GIT } from './families/hostile-git.ts';
import { LINKS } from './families/links.ts';
import { MCP_PERSON } from './families/mcp-person.ts';
import { OBEYED_FILES } from './families/obeyed-files.ts';
import { PASTED } from './families/pasted.ts';
import { PATHS } from './families/paths.ts';
import { PRIVATE_PLACES } from './families/private-places.ts';
import { PROVENANCE } from './families/provenance.ts';
import { RECORDED } from './families/recorded-paths.ts';
import { REVIEWERS } from './families/reviewers.ts';
import { SCOPES } from './families/scopes.ts';
import { SECRET_DOORS } from './families/secret-doors.ts';
import { SECRETS } from './families/secrets.ts';
import { TRANSCRIPTS } from './families/transcripts.ts';
import { TWINS } from './families/twins.ts';

interface ListedFamily {
  readonly title: string;
  readonly file: string;
  readonly cases: readonly { readonly kind: 'attack' | 'control'; readonly name: string }[];
}

/** Every family, and the test that runs it. */
export const FAMILIES: readonly ListedFamily[] = [
  { ...PATHS, file: 'files.test.ts' },
  { ...LINKS, file: 'files.test.ts' },
  { ...BOMBS, file: 'files.test.ts' },
  { ...CLONES, file: 'files.test.ts' },
  { ...COPIED, file: 'files.test.ts' },
  { ...RECORDED, file: 'recorded-paths.test.ts' },
  { ...HOSTILE_GIT, file: 'hostile-git.test.ts' },
  { ...HOSTILE_FOLDERS, file: 'hostile.test.ts' },
  { ...OBEYED_FILES, file: 'hostile.test.ts' },
  { ...FENCES, file: 'hostile.test.ts' },
  { ...SECRETS, file: 'words.test.ts' },
  { ...SECRET_DOORS, file: 'secret-doors.test.ts' },
  { ...PROVENANCE, file: 'words.test.ts' },
  { ...REVIEWERS, file: 'words.test.ts' },
  { ...MCP_PERSON, file: 'words.test.ts' },
  { ...PASTED, file: 'pasted.test.ts' },
  { ...SCOPES, file: 'scopes.test.ts' },
  { ...TWINS, file: 'twins.test.ts' },
  { ...TRANSCRIPTS, file: 'transcripts.test.ts' },
  { ...ERASURES, file: 'erasures.test.ts' },
  { ...ERASURE_REACH, file: 'erasures.test.ts' },
  { ...COMMANDS, file: 'processes.test.ts' },
  { ...PRIVATE_PLACES, file: 'processes.test.ts' },
];

export function countCases(kind: 'attack' | 'control'): number {
  return FAMILIES.flatMap(({ cases }) => cases).filter((each) => each.kind === kind).length;
}

/** The text of CASES.md. */
export function renderCases(): string {
  const parts = FAMILIES.map(({ title, file, cases }) => {
    const list = (kind: 'attack' | 'control'): string =>
      cases
        .filter((each) => each.kind === kind)
        .map(({ name }) => `- ${name.replaceAll(/[<>|*_[\]]/gu, String.raw`\$&`)}`)
        .join('\n');
    return `## ${title}\n\nRun by \`${file}\`.\n\n### Must be held\n\n${list('attack')}\n\n### Must go through\n\n${list('control')}\n`;
  });
  return [
    '# Red-team cases',
    '',
    'Made from the tables in `families/` by `node test/red-team/write-cases.ts`; do not edit it by hand.',
    '',
    `${countCases('attack')} attempts that must be held, and ${countCases('control')} harmless things that must go through, so that`,
    'refusing everything fails.',
    '',
    parts.join('\n'),
  ].join('\n');
}
