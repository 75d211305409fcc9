import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { runOperation } from '../../../operations/operation.ts';
import { addProposal } from '../../../operations/proposals/add.ts';
import {
  approve,
  deferProposal,
  rebaseProposal,
  reject,
  withdrawProposal,
  type ApproveInput,
} from '../../../operations/proposals/approve.ts';
import { listProposals, showProposal } from '../../../operations/proposals/show.ts';
import { PROPOSAL_STATES } from '../../../model/schemas/proposal.ts';
import type { Proposal } from '../../../proposals/proposal.ts';
import type { Approved, ChangePreview, Decided, Proposed } from '../../../proposals/request.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { editByHand } from '../editor.ts';
import { paintDiff, plural, table } from '../../../operations/command-line/style.ts';
import { conflictOf, numberOf, type ConflictFlags } from './show.ts';

export function addProposalCommands(program: Command, cli: Cli): void {
  const proposals = program
    .command('proposals')
    .description('Changes that wait for a decision.')
    .option('--state <state>', `${PROPOSAL_STATES.join(', ')} or all (default: what waits)`)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { state?: ProposalState }>();
      const { proposals: shown } = await cli.withMneme(
        options,
        ({ internals }) => runOperation(listProposals, internals, { state: options.state }),
        listProposals,
      );
      cli.print(options, shown, (given) => renderList(cli, given));
    });
  addShow(proposals, cli);
  addPropose(proposals, cli);
  addSteps(proposals, cli);
  addApprove(program, cli);
  addReject(program, cli);
}

/** As typed; the operation says what is wrong with another word. */
type ProposalState = Proposal['state'] | 'all';

function renderList(cli: Cli, proposals: readonly Proposal[]): string {
  if (proposals.length === 0) return 'No proposal waits for you.\n';
  const { style } = cli;
  return table(
    proposals.map(({ id, state, kind, title, actor }) => [id, style.yellow(state), kind, title, style.dim(actor)]),
  );
}

function addShow(proposals: Command, cli: Cli): void {
  proposals
    .command('show <id>')
    .description('What a proposal would change in the files as they are now.')
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { proposal: shown, preview: changes } = await cli.withMneme(
        options,
        ({ internals }) => runOperation(showProposal, internals, { id }),
        showProposal,
      );
      const result = { proposal: shown, preview: changes };
      cli.print(options, result, ({ proposal, preview }) => renderProposal(cli, proposal, preview));
    });
}

function renderProposal(cli: Cli, proposal: Proposal, preview: readonly ChangePreview[]): string {
  const { style } = cli;
  const head = [
    `${style.bold(proposal.title)}  ${style.yellow(proposal.state)}`,
    style.dim(
      `${proposal.id} · ${proposal.kind} · from ${proposal.actor} (trust: ${proposal.trust}) · ${proposal.created}`,
    ),
    ...(proposal.why === '' ? [] : ['', proposal.why.trim()]),
    ...(proposal.statement === undefined ? [] : ['', `${proposal.statement.store}: ${proposal.statement.content}`]),
    ...(proposal.evidence.length === 0 ? [] : ['', ...proposal.evidence.map((line) => `- ${line}`)]),
  ];
  const changes = preview.flatMap((change) => [
    '',
    style.bold(
      `${change.number}. ${change.action} ${change.path}${change.renameTo === undefined ? '' : ` → ${change.renameTo}`}`,
    ),
    change.fit === 'stale'
      ? style.red(`no longer fits: ${change.reason ?? ''}`)
      : paintDiff(style, change.diff.trimEnd()),
  ]);
  return `${[...head, ...changes].join('\n')}\n`;
}

interface ProposeOptions extends GlobalOptions {
  readonly content?: string;
  readonly delete?: boolean;
  readonly title: string;
  readonly why?: string;
  readonly kind?: string;
  readonly confidence?: 'high' | 'medium' | 'low';
  readonly trust?: 'user' | 'agent' | 'tool' | 'import' | 'external';
}

function addPropose(proposals: Command, cli: Cli): void {
  proposals
    .command('add <path>')
    .description('Propose a new content for a file; sub-agents do this instead of writing (`--as subagent:NAME`).')
    .requiredOption('--title <words>', 'what it is about')
    .option('--content <text>', 'the whole new text; `-` reads it from standard input')
    .option('--delete', 'propose to delete the file')
    .option('--why <words>', 'why it should change')
    .option('--kind <kind>', 'memory (default), merge, refinement, archive …')
    .option('--confidence <level>', 'high, medium or low')
    .option('--trust <level>', 'where it comes from: user, agent (default), tool, import or external')
    .action(async (path: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ProposeOptions>();
      if ((options.content === undefined) === (options.delete !== true)) {
        throw new MnemeError('usage', 'Say what the file should become: --content TEXT, or --delete.');
      }
      const after = options.content === '-' ? await cli.io.readInput() : options.content;
      const { title, why, kind, confidence, trust } = options;
      const given = { path, after: after ?? null, title, why, kind, confidence, trust };
      const result = await cli.withMneme(
        options,
        ({ internals }) => runOperation(addProposal, internals, given),
        addProposal,
      );
      cli.print(options, result, (shown) => renderProposed(cli, shown));
    });
}

const PROPOSED: Readonly<Record<Proposed['outcome'], string>> = {
  filed: 'Proposed',
  applied: 'Proposed and applied',
  'already-open': 'The same is waiting already',
  'rejected-before': 'The same was rejected before',
};

function renderProposed(cli: Cli, { outcome, id }: Proposed): string {
  return `${cli.style.green(PROPOSED[outcome])}: ${id}\n${cli.style.dim(`look: mneme proposals show ${id}`)}\n`;
}

function addSteps(proposals: Command, cli: Cli): void {
  for (const operation of [rebaseProposal, withdrawProposal, deferProposal]) {
    proposals
      .command(`${operation.name.replace('proposals ', '')} <id>`)
      .description(operation.summary)
      .option('--why <words>')
      .action(async (id: string, _options, command: Command) => {
        const options = command.optsWithGlobals<GlobalOptions & { why?: string }>();
        const result = await cli.withMneme(
          options,
          ({ internals }) => runOperation(operation, internals, { id, why: options.why }),
          operation,
        );
        cli.print(options, result, (shown: Decided) => `${shown.id} is now ${shown.state}.\n`);
      });
  }
}

interface ApproveOptions extends GlobalOptions, ConflictFlags {
  readonly all?: boolean;
  readonly only?: string;
  readonly rest?: string;
  readonly edit?: boolean;
  readonly without?: readonly string[];
  readonly why?: string;
}

function addApprove(program: Command, cli: Cli): void {
  program
    .command('approve [ids...]')
    .summary('Let a proposal happen.')
    .description(
      'Apply a proposal, or part of it. It happens as one mutation that can be undone as one. `reflection` stands for the one that waits.',
    )
    .option('--all', 'everything that waits')
    .option('--only <numbers>', 'only these changes of it, such as 1,3')
    .option('--rest <what>', 'with --only: the others wait (default) or reject')
    .option('--without <words...>', 'all of it but the lines that say these words')
    .option('--edit', 'change its diffs in your editor first')
    .option('--instead', 'where something contradicts it: this counts, other proposals are rejected')
    .option('--keep-both', 'where something contradicts it: keep both, linked and at low confidence')
    .option('--why <words>')
    .action(async (ids: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<ApproveOptions>();
      const results = await cli.withMneme(options, ({ internals }) => approveAs(cli, internals, ids, options), approve);
      cli.print(options, results, (shown) => renderApproved(cli, shown));
    });
}

const NO_EDITOR = 'Edit the proposal at a terminal, or leave out --edit to approve it as it is.';

function restOf(text: string | undefined): 'wait' | 'reject' | undefined {
  if (text === undefined || text === 'wait' || text === 'reject') return text;
  throw new MnemeError('usage', `--rest is wait or reject, not "${text}".`);
}

async function approveAs(
  cli: Cli,
  context: OperationContext,
  ids: readonly string[],
  options: ApproveOptions,
): Promise<Approved[]> {
  const given: ApproveInput = {
    ids: [...ids],
    all: options.all,
    only: options.only?.split(',').map((number) => numberOf('--only', number.trim()) ?? 0),
    rest: restOf(options.rest),
    without: [...(options.without ?? [])],
    conflict: conflictOf(options),
    why: options.why,
  };
  if (options.edit !== true) return runOperation(approve, context, given);
  const chosen = options.all === true ? await pendingIds(context) : ids;
  if (chosen.length === 0) return runOperation(approve, context, given);
  const results: Approved[] = [];
  for (const id of chosen) {
    const { proposal, text } = await runOperation(showProposal, context, { id });
    const edited = await editByHand(cli, `${proposal.id}.md`, text, NO_EDITOR);
    results.push(...(await runOperation(approve, context, { ...given, ids: [proposal.id], all: false, edited })));
  }
  return results;
}

async function pendingIds(context: OperationContext): Promise<readonly string[]> {
  const { proposals } = await runOperation(listProposals, context, { state: 'pending' });
  return proposals.map(({ id }) => id);
}

function renderApproved(cli: Cli, results: readonly Approved[]): string {
  const { style } = cli;
  if (results.length === 0) return 'No proposal waits for you.\n';
  return results
    .map(({ id, state, applied, files, warnings, mutation, item }) =>
      [
        `${style.green('Approved')} ${id}: ${item === undefined ? `${plural(applied.length, 'change')} applied` : `kept as ${item}`}${state === 'applied' ? '' : ', the rest waits'}`,
        ...files
          .filter(({ path }) => !path.includes('memory/meta/proposals/'))
          .map(({ action, path }) => `  ${action} ${path}`),
        ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
        style.dim(`undo: mneme rollback ${mutation}`),
        '',
      ].join('\n'),
    )
    .join('');
}

function addReject(program: Command, cli: Cli): void {
  program
    .command('reject <ids...>')
    .summary('Decline a proposal; the same is not proposed again.')
    .description('Decline proposals. What was rejected is not proposed again.')
    .option('--why <words>', 'the reason, for the record and for learning')
    .action(async (ids: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { why?: string }>();
      const results = await cli.withMneme(
        options,
        ({ internals }) => runOperation(reject, internals, { ids, why: options.why }),
        reject,
      );
      cli.print(options, results, (shown) => shown.map(({ id, state }) => `${id} is now ${state}.\n`).join(''));
    });
}
