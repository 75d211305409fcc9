import type { CommandLine } from '../../verb-registry/library-types.ts';
import { OPTIONS } from './options.generated.ts';

const GLOBALS = ['--home', '--json', '--as', '--help'];

/** Makes the script from the generated lists, so that no command has to be loaded for it. */
export function completionScript(program: 'bash' | 'zsh' | 'fish', lines: readonly CommandLine[]): string {
  const words = wordsByPath(lines.filter(({ isHidden }) => isHidden !== true));
  return program === 'fish' ? fishScript(words) : bashScript(words, program === 'zsh');
}

/** Every command path (`config set`) with the words that may follow it. */
function wordsByPath(lines: readonly CommandLine[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>([['', new Set()]]);
  const wordsOf = (path: string): Set<string> => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const made = new Set<string>();
    found.set(path, made);
    return made;
  };
  const add = (path: string, options: string): void => {
    const words = path.split(' ');
    for (const [at, word] of words.entries()) wordsOf(words.slice(0, at).join(' ')).add(word);
    for (const option of options.split(' ')) if (option !== '') wordsOf(path).add(option);
  };
  for (const { path, aliases = [] } of lines) {
    for (const name of [path, ...aliases]) add(name, OPTIONS[path] ?? '');
  }
  return found;
}

function bashScript(words: ReadonlyMap<string, ReadonlySet<string>>, isZsh: boolean): string {
  const cases = [...words]
    .map(([path, known]) => `    '${path}') words='${[...new Set([...known, ...GLOBALS])].join(' ')}' ;;`)
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

function fishScript(words: ReadonlyMap<string, ReadonlySet<string>>): string {
  const lines = [...words].flatMap(([path, known]) => {
    const parts = path.split(' ').filter((part) => part !== '');
    const condition =
      parts.length === 0
        ? '__fish_use_subcommand'
        : parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    return [...known].map((word) =>
      word.startsWith('--')
        ? `complete -c mneme -n '${condition}' -l ${word.slice(2)}`
        : word.startsWith('-')
          ? `complete -c mneme -n '${condition}' -s ${word.slice(1)}`
          : `complete -c mneme -f -n '${condition}' -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}
