import fs from 'node:fs';
import path from 'node:path';
import { MemoryTool } from '../../../src/interfaces/memory-tool/memory-tool.ts';
import { append } from '../../../src/operations/append.ts';
import { edit } from '../../../src/operations/edit.ts';
import { changeFiles } from '../../../src/operations/files/change-files.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import type { Proposal } from '../../../src/proposals/proposal.ts';
import { assertMayApprove, type ReviewRules } from '../../../src/proposals/policy.ts';
import { HOME_LAYOUT } from '../../../src/workspace/formats/layout.ts';
import { attack, control, type Family } from '../table.ts';
import { contextAs, mustGoThrough, type World } from '../world.ts';

const OBEYED: readonly string[] = [
  '.claude/settings.json',
  '.claude/hooks/start.sh',
  '.mcp.json',
  '.cursor/rules/all.mdc',
  '.cursorrules',
  '.vscode/tasks.json',
  '.VSCode/Tasks.json',
  '.idea/workspace.xml',
  '.obsidian/plugins/evil/main.js',
  'notes.code-workspace',
  '.envrc',
  '.env',
  'CLAUDE.md',
  'claude.md',
  'memory/reference/CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  'projects/pier/AGENTS.md',
  'GEMINI.md',
  '.github/workflows/build.yml',
  '.github/copilot-instructions.md',
  '.gitlab-ci.yml',
  '.husky/pre-commit',
  '.githooks/pre-commit',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.gitattributes',
  '.gitmodules',
  '.gitignore',
  'bare/HEAD',
  'package.json',
  'node_modules/evil/index.js',
  'Makefile',
  'conftest.py',
  'build.rs',
  'Dockerfile',
  'compose.yaml',
  '.vimrc',
  '.exrc',
  '.dir-locals.el',
  '.devcontainer/devcontainer.json',
  '.npmrc',
  'mise.toml',
  'Jenkinsfile',
  'autorun.inf',
  'evil.desktop',
];

type Way = readonly [name: string, go: (world: World, file: string) => Promise<unknown>];

const WAYS: readonly Way[] = [
  [
    'files change',
    (world, file) =>
      runOperation(changeFiles, contextAs(world, 'bot:main'), {
        changes: [{ kind: 'write', path: file, text: `{ "command": "touch ${file.length}" }\n` }],
      }),
  ],
  ['edit', (world, file) => runOperation(edit, contextAs(world, 'bot:main'), { path: file, content: 'touch x\n' })],
  ['append', (world, file) => runOperation(append, contextAs(world, 'bot:main'), { path: file, text: 'touch x' })],
  [
    'files change, as the name a file is moved to',
    async (world, file) => {
      const from = 'memory/reference/to-move.md';
      await runOperation(edit, contextAs(world, 'manual'), { path: from, content: '# To move\n' });
      const changes = [{ kind: 'rename' as const, path: from, to: file }];
      return runOperation(changeFiles, contextAs(world, 'bot:main'), { changes });
    },
  ],
  [
    'the memory tool',
    ({ server }, file) =>
      new MemoryTool(server.mneme).execute({ command: 'create', path: `/memories/${file}`, file_text: 'touch x' }),
  ],
];

/** Refused or waiting for a person: either way no such file is there. */
async function mustNotBeThere(world: World, file: string, run: () => Promise<unknown>): Promise<string | undefined> {
  const answer = await run().then(
    (result) => JSON.stringify(result),
    (error: unknown) => String(error),
  );
  const full = path.join(world.workspace, file);
  const isThere = fs.existsSync(full) && fs.readFileSync(full, 'utf8').includes('touch');
  return isThere ? `it is there: ${answer.slice(0, 200)}` : undefined;
}

const RULES: ReviewRules = {
  layout: HOME_LAYOUT,
  mainReviews: true,
  autoApproves: true,
  autoMinConfidence: 0,
  trustedAgents: ['coder'],
};

/** The main agent decides on what sub-agents propose, but not on this. */
async function approveByMain(file: string): Promise<string | undefined> {
  const proposal = { id: '01TEST', actor: 'subagent:coder', trust: 'agent' } as unknown as Proposal;
  try {
    assertMayApprove(proposal, [{ path: file, renameTo: undefined }], 'bot:main', RULES);
    return 'it was approved';
  } catch (error) {
    return String(error).includes('may not approve') ? undefined : String(error);
  }
}

/** Names that only resemble one. */
const FINE: readonly string[] = [
  'memory/reference/claude.md-notes.md',
  'memory/reference/github.md',
  'memory/reference/about-makefile.md',
  'memory/reference/package.json.md',
  'memory/reference/heads.md',
  'memory/reference/compose.md',
];

export const OBEYED_FILES: Family<World> = {
  title: 'An agent writes no file that other programs obey',
  cases: [
    ...OBEYED.flatMap((file) =>
      WAYS.map(([way, go]) =>
        attack<World>(`${way}: ${file}`, (world) => mustNotBeThere(world, file, () => go(world, file))),
      ),
    ),
    ...OBEYED.map((file) =>
      attack<World>(`approved by the main agent for a sub-agent: ${file}`, () => approveByMain(file)),
    ),
    ...FINE.map((file) =>
      control<World>(`the main agent writes ${file}`, (world) =>
        mustGoThrough(() =>
          runOperation(changeFiles, contextAs(world, 'bot:main'), {
            changes: [{ kind: 'write', path: file, text: '# A\n' }],
          }),
        ),
      ),
    ),
    control('a person writes CLAUDE.md', (world) =>
      mustGoThrough(() =>
        runOperation(edit, contextAs(world, 'manual'), { path: 'projects/own/CLAUDE.md', content: '# Mine\n' }),
      ),
    ),
  ],
};
