import type { Command } from 'commander';
import { topicsLog } from '../../../operations/topics/gate-log.ts';
import {
  activateTopic,
  deactivateTopic,
  topicEvent,
  type TopicEventInput,
} from '../../../operations/topics/activate.ts';
import { listTopics, showTopic } from '../../../operations/topics/list.ts';
import { newTopic, type NewTopicInput } from '../../../operations/topics/new.ts';
import { testTopics, type TestTopicsInput } from '../../../operations/topics/test.ts';
import { tuneTopics } from '../../../operations/topics/tune.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { numberOf, show } from './show.ts';
import {
  renderChanged,
  renderDecisions,
  renderEvent,
  renderNew,
  renderTested,
  renderTopic,
  renderTopics,
  renderTuned,
} from './topics-view.ts';

interface TopicOptions extends GlobalOptions {
  readonly session?: string;
  readonly scope?: string;
}

const SCOPE = ['--scope <scope>', 'besides what is shared, what belongs to user:NAME, project:NAME …'] as const;

export function addTopicsCommands(program: Command, cli: Cli): void {
  const topics = program
    .command('topics')
    .summary('Playbooks that come into the prompt when a message calls for them')
    .description(
      'Playbooks under topics/ that come into the prompt when a message, a file or an event calls for them.',
    );
  addReading(topics, cli);
  addChanging(topics, cli);
}

function addReading(topics: Command, cli: Cli): void {
  topics
    .command('list')
    .summary(listTopics.summary)
    .option('--session <id>', 'mark those that are active in this conversation')
    .option(...SCOPE)
    .action(async (_options, called: Command) => {
      const options = called.optsWithGlobals<TopicOptions>();
      await show(cli, options, listTopics, { session: options.session, scope: options.scope }, renderTopics);
    });
  topics
    .command('show <name>')
    .summary(showTopic.summary)
    .option(...SCOPE)
    .action(async (name: string, _options, called: Command) => {
      const options = called.optsWithGlobals<TopicOptions>();
      await show(cli, options, showTopic, { name, scope: options.scope }, renderTopic);
    });
  topics
    .command('log [topic]')
    .summary(topicsLog.summary)
    .option('--session <id>', 'only this conversation')
    .option('--limit <number>', 'most decisions (default: 50)')
    .option('--before <time>', 'only what was decided before this time')
    .action(async (topic: string | undefined, _options, called: Command) => {
      const options = called.optsWithGlobals<TopicOptions & { limit?: string; before?: string }>();
      const { session, before } = options;
      const given = { topic, session, before, limit: numberOf('--limit', options.limit) };
      await show(cli, options, topicsLog, given, renderDecisions);
    });
  topics
    .command('test [message...]')
    .summary(testTopics.summary)
    .description('Which topics a message activates and why, tier by tier. `-` reads the message from standard input.')
    .option('--role <role>', 'user or agent: who says it', 'user')
    .option('--path <paths...>', 'files that a tool call touches')
    .option('--all', 'also topics that nothing speaks for')
    .option(...SCOPE)
    .action(async (words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<TopicOptions & { role: string; path?: string[]; all?: boolean }>();
      const message = words.length === 1 && words[0] === '-' ? await cli.io.readInput() : words.join(' ');
      const { path: paths, all, scope } = options;
      const given = { message, role: options.role as TestTopicsInput['role'], paths, all, scope };
      const { notes } = await show(cli, options, testTopics, given, renderTested);
      for (const note of notes) cli.warn(note);
    });
}

function addChanging(topics: Command, cli: Cli): void {
  for (const operation of [activateTopic, deactivateTopic]) {
    topics
      .command(`${operation.name.split(' ')[1] ?? ''} <name>`)
      .summary(operation.summary)
      .requiredOption('--session <id>', 'the conversation')
      .option(...SCOPE)
      .action(async (name: string, _options, called: Command) => {
        const options = called.optsWithGlobals<TopicOptions>();
        const given = { name, session: options.session ?? '', scope: options.scope };
        await show(cli, options, operation, given, renderChanged);
      });
  }
  topics
    .command('event <kind> [source] [event]')
    .summary(topicEvent.summary)
    .description('Tell that something happened (`webhook email new_message`) or that a time has come (`cron`).')
    .option('--session <id>', 'the conversation (default: all that go on)')
    .action(async (kind: string, source: string | undefined, event: string | undefined, _options, called: Command) => {
      const options = called.optsWithGlobals<TopicOptions>();
      const given = { kind: kind as TopicEventInput['kind'], source, event, session: options.session };
      await show(cli, options, topicEvent, given, renderEvent);
    });
  topics
    .command('tune')
    .summary(tuneTopics.summary)
    .option('--days <number>', 'how far back decisions are looked at (default: 90)')
    .option('--dry-run', 'only show what would be proposed')
    .action(async (_options, called: Command) => {
      const options = called.optsWithGlobals<TopicOptions & { days?: string; dryRun?: boolean }>();
      const given = { days: numberOf('--days', options.days), dryRun: options.dryRun };
      await show(cli, options, tuneTopics, given, renderTuned);
    });
  topics
    .command('new <name...>')
    .summary(newTopic.summary)
    .option('--description <text>', 'what it is for, in a sentence')
    .option('--keywords <words...>', 'words that may call for it')
    .option('--instructions <text>', 'what to do when it is active; `-` reads from standard input')
    .option('--activation <how>', 'auto, gated or manual', 'gated')
    .option('--priority <priority>', 'low, medium, high or critical', 'medium')
    .option(...SCOPE)
    .action(async (words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<TopicOptions & Omit<NewTopicInput, 'name' | 'scope'>>();
      const { description, keywords, activation, priority, scope } = options;
      const instructions = options.instructions === '-' ? await cli.io.readInput() : options.instructions;
      const given = { name: words.join(' '), description, keywords, instructions, activation, priority, scope };
      await show(cli, options, newTopic, given, renderNew);
    });
}
