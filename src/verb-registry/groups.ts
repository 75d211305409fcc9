import type { Section } from '../operations/verb.ts';

/** Headings of `mneme --help`. */
export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  everyday: 'Everyday:',
  setup: 'Set up:',
  memory: 'Memory:',
  conversations: 'Conversations:',
  review: 'Review and history:',
  upkeep: 'Upkeep:',
  trust: 'Proof and privacy:',
  interfaces: 'Interfaces:',
};

interface Group {
  readonly summary: string;
  readonly description?: string | undefined;
  /** Only groups at the top have one. */
  readonly section?: Section | undefined;
}

/** Commands that only hold others. A verb joins a group by its name. */
export const GROUPS: Readonly<Record<string, Group>> = {
  archive: {
    summary: 'Archived memories: list, search, restore, pack.',
    description: 'Archived memories lie under memory/archive/, by month; everyday search leaves them out.',
    section: 'memory',
  },
  tokens: {
    summary: 'Tokens for the HTTP API, the dashboard and MCP over HTTP.',
    description:
      'Tokens for the HTTP API, the dashboard and MCP over HTTP. Only their hashes are kept; a running server hears of changes at once.',
    section: 'interfaces',
  },
};
