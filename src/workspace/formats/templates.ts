import { AGENTS_TEMPLATE } from './agents-template.ts';
import { RELATIONS_TEMPLATE } from './relations-template.ts';

/** The texts a new home starts with. Hints stand in comments: a person sees them, a model does not pay for them. */

export const MEMORY_TEMPLATE = `---
type: memory
---

# Core Memory

<!-- Always in context: at most 3,000 tokens and 200 lines. One bullet, one thought. -->

## Identity

<!-- Who the user is and what matters most about them. -->

## Active Context

<!-- What is going on now: current work, open decisions, what we are waiting for. -->

## Persona

<!-- How to work with this user: manner, habits, what has been learned about the collaboration. -->

## Critical Facts

<!-- What must never be forgotten, however long it has not come up. -->
`;

const SOUL_TEMPLATE = `---
type: identity
role: soul
---

# Soul

<!-- Who the agent is at heart. Only a person changes this file. -->

## Values

- Be useful and honest; say plainly what you do not know.
- The user's time and privacy come first.
- Prefer the reversible step, and ask before the irreversible one.

## Manner

- Clear and short; depth when it is asked for.

## Boundaries

- Nothing leaves this machine unless the user wants it to.
`;

const IDENTITY_TEMPLATE = `---
type: identity
role: identity
---

# Identity

<!-- The agent's name and what it is for. -->

- Name:
- Purpose:
`;

const USER_TEMPLATE = `---
type: identity
role: user
---

# User

<!-- What the user tells about themselves. Reflection may propose changes; a person approves them. -->

## Basics

- Name:
- Pronouns:
- Time zone:
- Languages:

## Work

## Preferences

## People and dates
`;

const TOOLS_TEMPLATE = `---
type: identity
role: tools
---

# Tools

<!-- What the agent may use here, and how: hosts, commands, accounts by name, never passwords. -->
`;

const TOPIC_TEMPLATE = `---
type: topic
triggers:
  - type: keywords
    match: [inbox, e-mail, newsletter]
  - type: pattern
    match: "\\\\b(reply|respond) to\\\\b"
    scope: input
  - type: pattern
    match: "\\\\bDear Sir or Madam\\\\b"
    scope: output
    correction_hint: The user writes informally; start with the first name.
subscriptions:
  - memory/procedures/example-procedure.md
activation: gated
priority: medium
max_context_kb: 4
---

# E-mail

<!-- An example: change it, or delete the file. -->

## Instructions

1. Sort new mail into urgent, to do, to read, and noise.
2. Tell the user at once about what is urgent; draft replies for what is to do.
3. Send nothing without a yes.

## Context Notes

- USER.md says in which tone the user writes.
`;

const PROCEDURE_TEMPLATE = `---
type: procedure
kind: skill
name: Publish a release
version: "1.0"
status: draft
triggers:
  keywords: [release, publish, ship]
---

# Publish a release

<!-- An example: change it, or delete the file. -->

## Trigger

The user wants to release, publish or ship a version.

## Preconditions

- The working copy is clean.

## Steps

1. Run all tests
   - expect: every test passes
   - timeout: 10m
   - on error: abort
2. Write the changes into CHANGELOG.md
3. Tag the version and publish it
   - if: the user has confirmed the version number
   - on error: retry 2

## Postconditions

- The new version can be installed.

## Notes

- Ask before publishing, every time.
`;

/** Kept out of git: what can be rebuilt, what is temporary, what is secret. */
export const WORKSPACE_GITIGNORE = `# Rebuilt from the history
memory/meta/audit.log

# Temporary
*.tmp
*.swp
*~
.mneme-*
scratch/
tmp/

# Secrets
.env
.env.*
secrets/
*.key
*.pem

# Systems and editors
.DS_Store
Thumbs.db
desktop.ini
.obsidian/workspace*.json
.trash/
`;

/** Bytes stay as they are on every system: a converted line end would look like a foreign edit. */
export const WORKSPACE_GITATTRIBUTES = `* -text
*.md diff=markdown
`;

/** Attachments go through LFS only where it is installed; without it the filter would break every checkout. */
export function rawGitattributes(hasLfs: boolean): string {
  const attachments = hasLfs ? 'attachments/** filter=lfs diff=lfs merge=lfs -text\n' : 'attachments/** -diff\n';
  return WORKSPACE_GITATTRIBUTES + attachments;
}

/** Files that `init` writes. */
export const INITIAL_FILES: ReadonlyMap<string, string> = new Map([['MEMORY.md', MEMORY_TEMPLATE]]);

/** Files that `init --full` writes, by workspace path. */
export const FULL_FILES: ReadonlyMap<string, string> = new Map([
  ...INITIAL_FILES,
  ['SOUL.md', SOUL_TEMPLATE],
  ['IDENTITY.md', IDENTITY_TEMPLATE],
  ['USER.md', USER_TEMPLATE],
  ['AGENTS.md', AGENTS_TEMPLATE],
  ['TOOLS.md', TOOLS_TEMPLATE],
  ['memory/graph/relations.md', RELATIONS_TEMPLATE],
  ['topics/example-topic.md', TOPIC_TEMPLATE],
  ['memory/procedures/example-procedure.md', PROCEDURE_TEMPLATE],
]);
