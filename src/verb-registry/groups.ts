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
  backup: {
    summary: 'Copies of the whole memory: make, check, restore.',
    description:
      'A backup is one .tar.gz file with the files, transcripts, histories and journal of a home, and a list of hashes.',
    section: 'upkeep',
  },
  check: { summary: 'Check the memory, the index, the setup.', section: 'upkeep' },
  config: { summary: 'Look at and change settings.', description: 'Look at and change mneme.yaml.', section: 'setup' },
  daemon: { summary: 'Run in the background: notice edits, run jobs at their times.', section: 'upkeep' },
  index: {
    summary: 'The search index: look at it, bring it up to date, move it.',
    description:
      'The search index is made from the files and can be deleted at any time; it is brought up to date by every question.',
    section: 'upkeep',
  },
  'index namespace': { summary: 'Memories that share a PostgreSQL server.' },
  jobs: {
    summary: 'Scheduled jobs: list, run one now, see how it went.',
    description:
      'Jobs run at their times while `mneme daemon` runs, one after the other. Times: `scheduler` in mneme.yaml.',
    section: 'upkeep',
  },
  memory: {
    summary: 'More about memories: files, similar, pin, feedback, append, timeline, growth, decay.',
    section: 'memory',
  },
  tokens: {
    summary: 'Tokens for the HTTP API, the dashboard and MCP over HTTP.',
    description:
      'Tokens for the HTTP API, the dashboard and MCP over HTTP. Only their hashes are kept; a running server hears of changes at once.',
    section: 'interfaces',
  },
};
