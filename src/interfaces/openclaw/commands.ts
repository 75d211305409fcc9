import type { AgentMemory } from './agent-memory.ts';
import type { HostCommand, PluginApi } from './host.ts';
import { searchMemory } from './search-manager.ts';
import type { PluginSettings } from './settings.ts';

const ABOUT = 'Search what is remembered';

/** `openclaw memory search`: the bundled memory that brings the command is not loaded where this plugin has its slot. */
export function registerCommands(api: PluginApi, memory: AgentMemory, { scope }: PluginSettings): void {
  const descriptors = [{ name: 'memory', description: ABOUT, hasSubcommands: true }];
  api.registerCli?.(({ program }) => addCommands(program, memory, scope), { descriptors });
}

function addCommands(program: HostCommand, memory: AgentMemory, scope: string | undefined): void {
  program
    .command('memory')
    .description(ABOUT)
    .command('search <query...>')
    .description('Find memories by words, meaning and time.')
    .option('--max-results <count>', 'Most results.')
    .option('--json', 'Print one JSON value.')
    .action(async (words, { maxResults, json }) => {
      const limit = Number(maxResults);
      const { results } = await searchMemory(await memory.open(), words.join(' '), {
        scope,
        ...(Number.isInteger(limit) && limit > 0 ? { maxResults: limit } : {}),
      });
      const lines = results.map(({ score, citation, snippet }) => `${score.toFixed(3)} ${citation}\n${snippet}\n`);
      const text = lines.length === 0 ? 'Nothing is remembered about this.\n' : lines.join('\n');
      process.stdout.write(json === true ? `${JSON.stringify({ results })}\n` : text);
      await memory.close();
    });
}
