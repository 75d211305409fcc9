import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { roleOf } from '../../../model/mutation.ts';
import { lowestTrust, type Trust } from '../../../model/provenance.ts';
import type { Mneme } from '../../../mneme.ts';
import type { Proposal } from '../../../proposals/proposal.ts';
import type { Approved, ChangePreview, Decided, Proposed } from '../../../proposals/request.ts';
import { PROPOSAL_STATES } from '../../../model/schemas/proposal.ts';
import { runOperation } from '../../../operations/operation.ts';
import {
  approve as approveOperation,
  approveProposals,
  reject as rejectOperation,
} from '../../../operations/proposals/approve.ts';
import { getVisibleProposal, visibleProposals } from '../../../operations/proposals/find.ts';
import { readWorkspaceText } from '../../../operations/workspace-files.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { editByHand } from '../editor.ts';
import { paintDiff, plural, table } from '../style.ts';
import { numberOf } from './show.ts';

export function addProposalCommands(program: Command, cli: Cli): void {
  const proposals = program
    .command('proposals')
    .description('Changes that wait for a decision.')
    .option('--state <state>', `${PROPOSAL_STATES.join(', ')} or all (default: what waits)`)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { state?: string }>();
      const result = await cli.withMneme(options, (mneme) => Promise.resolve(list(mneme, options.state)));
      cli.print(options, result, (shown) => renderList(cli, shown));
    });
  addShow(proposals, cli);
  addPropose(proposals, cli);
  addSteps(proposals, cli);
  addApprove(program, cli);
  addReject(program, cli);
}

function list(mneme: Mneme, state: string | undefined): readonly Proposal[] {
  const { internals } = mneme;
  if (state === 'all') return visibleProposals(internals, internals.proposals.list().proposals);
  const named = PROPOSAL_STATES.find((known) => known === state);
  if (state !== undefined && named === undefined) {
    throw new MnemeError('usage', `"${state}" is not a state.`, { hint: `Use ${PROPOSAL_STATES.join(', ')} or all.` });
  }
  const { proposals } = internals.proposals.list({ state: named ?? ['pending', 'deferred', 'stale'] });
  return visibleProposals(internals, proposals);
}

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
      const result = await cli.withMneme(options, async (mneme) => ({
        proposal: getVisibleProposal(mneme.internals, id),
        preview: await mneme.internals.proposals.preview(id),
      }));
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
      const result = await cli.withMneme(options, (mneme) =>
        mneme.internals.proposals.propose({
          kind: options.kind ?? 'memory',
          title: options.title,
          why: options.why ?? '',
          evidence: [],
          actor: mneme.internals.actor,
          trust: trustOf(mneme.internals.actor, options.trust),
          confidence: options.confidence,
          changes: [{ path, after }],
        }),
      );
      cli.print(options, result, (shown) => renderProposed(cli, shown));
    });
}

/** An agent's word is an agent's, whatever it says about itself. */
function trustOf(actor: string, claimed: ProposeOptions['trust']): Trust {
  const own = roleOf(actor) === 'human' ? 'user' : 'agent';
  return lowestTrust([own, claimed ?? own]);
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
  const steps = {
    rebase: 'Make a stale proposal anew from the present files.',
    withdraw: 'Take back a proposal of your own.',
    defer: 'Leave it for later.',
  } as const;
  for (const [name, description] of Object.entries(steps) as [keyof typeof steps, string][]) {
    proposals
      .command(`${name} <id>`)
      .description(description)
      .option('--why <words>')
      .action(async (id: string, _options, command: Command) => {
        const options = command.optsWithGlobals<GlobalOptions & { why?: string }>();
        const result = await cli.withMneme(options, (mneme) =>
          mneme.internals.proposals[name](getVisibleProposal(mneme.internals, id).id, {
            actor: mneme.internals.actor,
            why: options.why,
          }),
        );
        cli.print(options, result, (shown: Decided) => `${shown.id} is now ${shown.state}.\n`);
      });
  }
}

interface ApproveOptions extends GlobalOptions {
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
    .option('--why <words>')
    .action(async (ids: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<ApproveOptions>();
      const results = await cli.withMneme(options, (mneme) => approve(cli, mneme, ids, options));
      cli.print(options, results, (shown) => renderApproved(cli, shown));
    });
}

const NO_EDITOR = 'Edit the proposal at a terminal, or leave out --edit to approve it as it is.';

function restOf(text: string | undefined): 'wait' | 'reject' | undefined {
  if (text === undefined || text === 'wait' || text === 'reject') return text;
  throw new MnemeError('usage', `--rest is wait or reject, not "${text}".`);
}

function approve(cli: Cli, mneme: Mneme, ids: readonly string[], options: ApproveOptions): Promise<Approved[]> {
  const { internals } = mneme;
  const given = {
    ids: [...ids],
    all: options.all,
    only: options.only?.split(',').map((number) => numberOf('--only', number.trim()) ?? 0),
    rest: restOf(options.rest),
    without: [...(options.without ?? [])],
    why: options.why,
  };
  const edit = async (id: string): Promise<string> =>
    editByHand(cli, `${id}.md`, await readWorkspaceText(internals, internals.proposals.pathOf(id)), NO_EDITOR);
  const operation = {
    ...approveOperation,
    run: (...[context, input]: Parameters<typeof approveOperation.run>) =>
      approveProposals(context, input, options.edit === true ? edit : undefined),
  };
  return runOperation(operation, internals, given);
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
      const results = await cli.withMneme(options, ({ internals }) =>
        runOperation(rejectOperation, internals, { ids, why: options.why }),
      );
      cli.print(options, results, (shown) => shown.map(({ id, state }) => `${id} is now ${state}.\n`).join(''));
    });
}
