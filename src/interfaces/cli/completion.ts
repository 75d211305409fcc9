import type { Command } from 'commander';
import { MnemeError } from '../../model/errors.ts';
import type { Cli, GlobalOptions } from './cli.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Completion scripts are made from the commands themselves, so they cannot fall behind. */
export function addCompletionCommand(program: Command, cli: Cli): void {
  program
    .command('completion <shell>')
    .description('Print a completion script for bash, zsh or fish.')
    .addHelpText('after', '\nFor bash: eval "$(mneme completion bash)" in ~/.bashrc.')
    .action((shell: string, _options, command: Command) => {
      const known = SHELLS.find((name) => name === shell);
      if (known === undefined) {
        throw new MnemeError('usage', `"${shell}" is not a shell we know.`, { hint: `Use ${SHELLS.join(', ')}.` });
      }
      const script = known === 'fish' ? fishScript(program) : bashScript(program, known === 'zsh');
      cli.print(command.optsWithGlobals<GlobalOptions>(), { script }, (shown) => shown.script);
    });
}

/** Every command path (`config set`) with the words that may follow it. */
function wordsByPath(command: Command, path = ''): [string, string[]][] {
  const children = command.commands.filter((child) => !child.name().startsWith('_') && child.name() !== 'hook');
  const options = command.options
    .flatMap((option) => [option.long, option.short])
    .filter((flag) => typeof flag === 'string');
  const own: [string, string[]] = [path, [...children.map((child) => child.name()), ...options]];
  return [own, ...children.flatMap((child) => wordsByPath(child, `${path} ${child.name()}`.trim()))];
}

function bashScript(program: Command, isZsh: boolean): string {
  const globals = ['--home', '--json', '--as', '--help'];
  const cases = wordsByPath(program)
    .map(([path, words]) => `    '${path}') words='${[...new Set([...words, ...globals])].join(' ')}' ;;`)
    .join('\n');
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_mneme() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case "$path" in
${cases}
    esac
    [ -n "$words" ] || [ -z "$path" ] && break
    case "$path" in *' '*) path="\${path% *}" ;; *) path='' ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mneme mneme
`;
}

function fishScript(program: Command): string {
  const lines = wordsByPath(program).flatMap(([path, words]) => {
    const parts = path.split(' ').filter((part) => part !== '');
    const condition =
      parts.length === 0
        ? '__fish_use_subcommand'
        : parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    return words.map((word) =>
      word.startsWith('--')
        ? `complete -c mneme -n '${condition}' -l ${word.slice(2)}`
        : word.startsWith('-')
          ? `complete -c mneme -n '${condition}' -s ${word.slice(1)}`
          : `complete -c mneme -f -n '${condition}' -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}
