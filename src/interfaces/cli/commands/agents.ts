import type { Command } from 'commander';
import { agentsCommit, agentsDefer, agentsOverride, agentsReject } from '../../../operations/agents/decide.ts';
import { agentsInstructions, type AgentsInstructionsInput } from '../../../operations/agents/instructions.ts';
import { agentsList } from '../../../operations/agents/list.ts';
import { agentsPropose, type AgentsProposeInput } from '../../../operations/agents/propose.ts';
import { agentsReview } from '../../../operations/agents/review.ts';
import { agentsAdmit, agentsTrust } from '../../../operations/agents/standing.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import {
  renderAdmitted,
  renderAgents,
  renderCommitted,
  renderDecided,
  renderProposal,
  renderReview,
  renderTrust,
} from './agents-view.ts';
import { conflictOf, numberOf, show, type ConflictFlags } from './show.ts';

export function addAgentsCommands(program: Command, cli: Cli): void {
  const agents = program
    .command('agents')
    .summary('Sub-agents that propose, and who decides')
    .description('Sub-agents read within their scopes and propose; the main agent or a person decides.');
  addPropose(agents, cli);
  addReview(agents, cli);
  addCommit(agents, cli);
  addOverride(agents, cli);
  addDismiss(agents, cli);
  addStanding(agents, cli);
  addAbout(agents, cli);
}

interface ProposeOptions extends GlobalOptions {
  readonly store?: AgentsProposeInput['store'];
  readonly entity?: string[];
  readonly confidence?: AgentsProposeInput['confidence'];
  readonly core?: boolean;
  readonly trust?: AgentsProposeInput['trust'];
  readonly trigger?: string;
  readonly evidence?: string[];
  readonly session?: string;
  readonly scope?: string;
}

function addPropose(agents: Command, cli: Cli): void {
  agents
    .command('propose <words...>')
    .summary(agentsPropose.summary)
    .description(
      'Propose one statement to remember: `mneme agents propose "…" --as subagent:NAME`. `-` reads it from standard input.',
    )
    .option('--store <store>', 'episodic, semantic, procedural, vault or core; judged when not given')
    .option('--entity <names...>', 'whom or what it is about, such as person--alex')
    .option('--confidence <level>', 'high, medium (default) or low')
    .option('--core', 'it matters in every conversation')
    .option('--trust <level>', 'where it comes from: tool, import or external when it is not your own word')
    .option('--trigger <words>', 'what made you notice')
    .option('--evidence <turns...>', 'what it rests on, such as ses_a1b2#t4')
    .option('--session <id>')
    .option('--scope <scope>', 'shared (default), or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .action(async (words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<ProposeOptions>();
      const text = words.join(' ') === '-' ? await cli.io.readInput() : words.join(' ');
      const { store, entity, confidence, core, trust, trigger, evidence, session, scope } = options;
      const given = {
        text,
        store,
        entities: entity,
        confidence,
        coreWorthy: core,
        trust,
        trigger,
        evidence,
        session,
        scope,
      };
      await show(cli, options, agentsPropose, given, renderProposal);
    });
}

function addReview(agents: Command, cli: Cli): void {
  agents
    .command('review')
    .summary(agentsReview.summary)
    .option('--from <agent>', 'only what this agent proposed')
    .option('--limit <number>', 'the oldest so many (default 100)')
    .action(async (_options, called: Command) => {
      const options = called.optsWithGlobals<GlobalOptions & { from?: string; limit?: string }>();
      const given = { from: options.from, limit: numberOf('--limit', options.limit) };
      await show(cli, options, agentsReview, given, renderReview);
    });
}

interface ConflictOptions extends GlobalOptions, ConflictFlags {
  readonly why?: string;
  readonly session?: string;
}

function addConflictOptions(command: Command): Command {
  return command
    .option('--instead', 'where something says otherwise: this counts, other proposals are rejected')
    .option('--keep-both', 'where something says otherwise: keep both, linked and at low confidence')
    .option('--why <words>', 'for the record')
    .option('--session <id>');
}

function addCommit(agents: Command, cli: Cli): void {
  const command = agents
    .command('commit [ids...]')
    .summary(agentsCommit.summary)
    .option('--all', 'everything that waits and contradicts nothing');
  addConflictOptions(command).action(async (ids: string[], _options, called: Command) => {
    const options = called.optsWithGlobals<ConflictOptions & { all?: boolean }>();
    const { all, why, session } = options;
    await show(cli, options, agentsCommit, { ids, all, conflict: conflictOf(options), why, session }, renderCommitted);
  });
}

function addOverride(agents: Command, cli: Cli): void {
  const command = agents
    .command('override <id>')
    .summary(agentsOverride.summary)
    .option('--store <store>', 'episodic, semantic, procedural, vault or core')
    .option('--content <text>', 'other words')
    .option('--entity <names...>', 'about whom or what instead')
    .option('--core', 'into core memory too')
    .option('--no-core', 'not into core memory')
    .option('--confidence <level>', 'high, medium or low');
  addConflictOptions(command).action(async (id: string, _options, called: Command) => {
    const options = called.optsWithGlobals<
      ConflictOptions & {
        store?: AgentsProposeInput['store'];
        content?: string;
        entity?: string[];
        confidence?: 'high' | 'medium' | 'low';
        core?: boolean;
      }
    >();
    const { store, content, entity, confidence, why, session } = options;
    const coreWorthy = called.getOptionValueSource('core') === undefined ? undefined : options.core;
    const given = {
      id,
      store,
      content,
      entities: entity,
      coreWorthy,
      confidence,
      conflict: conflictOf(options),
      why,
      session,
    };
    await show(cli, options, agentsOverride, given, renderCommitted);
  });
}

function addDismiss(agents: Command, cli: Cli): void {
  for (const [name, operation] of [
    ['reject', agentsReject],
    ['defer', agentsDefer],
  ] as const) {
    agents
      .command(`${name} <ids...>`)
      .summary(operation.summary)
      .option('--why <words>', 'for the record, and for learning')
      .option('--session <id>')
      .action(async (ids: string[], _options, called: Command) => {
        const options = called.optsWithGlobals<GlobalOptions & { why?: string; session?: string }>();
        await show(cli, options, operation, { ids, why: options.why, session: options.session }, renderDecided);
      });
  }
}

function addStanding(agents: Command, cli: Cli): void {
  agents
    .command('trust <name>')
    .summary(agentsTrust.summary)
    .description('Let what an agent is sure of, and nothing contradicts, be kept without asking. Only a person may.')
    .option('--off', 'ask again from now on')
    .action(async (name: string, _options, called: Command) => {
      const options = called.optsWithGlobals<GlobalOptions & { off?: boolean }>();
      await show(cli, options, agentsTrust, { name, off: options.off }, renderTrust);
    });
  agents
    .command('scope <name> <scope>')
    .summary(agentsAdmit.summary)
    .description('Let a sub-agent or reader into a private scope besides its own. Only a person may.')
    .option('--off', 'shut it out again')
    .action(async (name: string, scope: string, _options, called: Command) => {
      const options = called.optsWithGlobals<GlobalOptions & { off?: boolean }>();
      await show(cli, options, agentsAdmit, { name, to: scope, off: options.off }, renderAdmitted);
    });
}

function addAbout(agents: Command, cli: Cli): void {
  agents
    .command('instructions <name>')
    .summary(agentsInstructions.summary)
    .option('--role <role>', 'subagent (default) or reader')
    .option('--interface <door>', 'cli (default) or mcp')
    .action(async (name: string, _options, called: Command) => {
      const options = called.optsWithGlobals<GlobalOptions & Pick<AgentsInstructionsInput, 'role' | 'interface'>>();
      const given = { name, role: options.role, interface: options.interface };
      await show(cli, options, agentsInstructions, given, (_view, { markdown }) => markdown);
    });
  agents
    .command('list')
    .summary(agentsList.summary)
    .action(async (_options, called: Command) => {
      await show(cli, called.optsWithGlobals<GlobalOptions>(), agentsList, {}, renderAgents);
    });
}
