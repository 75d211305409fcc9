import type { Section } from '../operations/sections.ts';

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

/** The order in which help lists everyday commands. */
export const EVERYDAY: readonly string[] = [
  'remember',
  'recall',
  'read',
  'edit',
  'forget',
  'rollback',
  'context',
  'why',
  'status',
  'dashboard',
];

interface Group {
  readonly summary: string;
  readonly description?: string | undefined;
  /** Only groups at the top have one. */
  readonly section?: Section | undefined;
  /** Left out of help. */
  readonly isHidden?: boolean | undefined;
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
  core: {
    summary: 'Core memory: the lines that are always in context.',
    section: 'memory',
  },
  daemon: { summary: 'Run in the background: notice edits, run jobs at their times.', section: 'upkeep' },
  'daemon service': {
    summary: 'Let the operating system run the daemon.',
    description:
      'Let the operating system run the daemon: a systemd user unit, a launch agent on macOS, a task of the Task Scheduler on Windows.',
  },
  hook: { summary: 'Called by git and by agents.', section: 'interfaces', isHidden: true },
  mcp: { summary: 'Serve the memory to an agent (Model Context Protocol).', section: 'interfaces' },
  serve: { summary: 'Serve the memory over HTTP: API, events, dashboard, MCP.', section: 'interfaces' },
  'memory episodes': { summary: 'What happened: list the last days, ask, show an entry.' },
  'learn ignore': { summary: 'Rules about what nothing is learned about.' },
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
    summary: 'More about memories: episodes, files, similar, pin, feedback, append, timeline, growth, decay.',
    section: 'memory',
  },
  'memory decay': {
    summary: 'How memories fade, and what could be archived.',
    description:
      'Unused memories fade. What has faded ranks lower and is proposed for the archive; until then it is found and injected like anything else.',
  },
  'memory files': {
    summary: 'Whole files of the workspace: list, read, save.',
    description: 'Whole files of the workspace, as an editor needs them. `mneme read` also shows single memories.',
  },
  graph: {
    summary: 'People, projects, things: what is known of them and how they are connected.',
    description:
      'Entities with aliases, facts with their times, and relations in the words of memory/graph/relations.md.',
    section: 'memory',
  },
  'serve tokens': {
    summary: 'Tokens for the HTTP API, the dashboard and MCP over HTTP.',
    description:
      'Tokens for the HTTP API, the dashboard and MCP over HTTP. Only their hashes are kept; a running server hears of changes at once.',
  },
  agents: {
    summary: 'Other agents: what they propose, what they may see.',
    description: 'Sub-agents read within their scopes and propose; the main agent or a person decides.',
    section: 'review',
  },
  audit: { summary: 'The record of who changed what.', section: 'review' },
  chain: {
    summary: 'Provable history: entries, proofs, keys, anchors.',
    description:
      'A signed, append-only record of transcripts, decisions, approvals and erasures. What it proves is exact: nothing was ' +
      'changed since the last head that somebody else holds.',
    section: 'trust',
  },
  'chain keys': {
    summary: 'The keys that sign the provable history.',
    description:
      'The private key lies beside the chain as agent.key, for nobody else to read; backups of the home leave it out. A ' +
      'passphrase is asked for, or taken from MNEME_KEY_PASSPHRASE.',
  },
  history: { summary: 'What was known when: log, blame, when, diff, tag, explore.', section: 'review' },
  learn: {
    summary: 'What is learned from conversations: extract, reflect, consolidate, ignore, reconstruct.',
    section: 'upkeep',
  },
  'learn reconstruct': { summary: 'Knowledge made again from the conversations, beside what is known.' },
  'learn reasoner': { summary: 'The judgement behind learning: its state, and a try.' },
  procedure: {
    summary: 'How things are done: list, match, run, learn.',
    description:
      'Skills, workflows and decision trees under memory/procedures/. A run does only what is built in (say, remember, recall, wait, decide, confirm, ask) and what a file given with --actions registers.',
    section: 'memory',
  },
  proposals: { summary: 'Changes that need your decision.', section: 'review' },
  session: { summary: 'Conversations: begin, add to, end, look at them.', section: 'conversations' },
  'session working': {
    summary: 'Working memory: what an agent holds in mind between sessions.',
    description: 'What an agent holds in mind between sessions: task, focus, facts, notes, conversation.',
  },
  sync: { summary: 'Exchange the memory with another machine.', section: 'upkeep' },
  'sync keys': {
    summary: 'Keys that seal what leaves this machine: remotes and encrypted backups.',
    description: 'age keys: one of this machine’s own, and the public halves of others who may open what is sealed.',
  },
  topics: { summary: 'Playbooks that activate when a message calls for them.', section: 'memory' },
  'history explore': {
    summary: 'Try something out on a branch; keep it or forget it.',
    description: 'What-if branches of the memory: while one is under way, everything that is written goes there.',
  },
};
