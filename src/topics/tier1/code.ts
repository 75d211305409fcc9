/** Program code in a message: its language, or undefined where that cannot be told. */
export interface FoundCode {
  readonly language: string | undefined;
  readonly text: string;
}

const ALIASES: Readonly<Record<string, string>> = {
  py: 'python',
  python3: 'python',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  node: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  console: 'shell',
  yml: 'yaml',
  tf: 'hcl',
  terraform: 'hcl',
  golang: 'go',
  rs: 'rust',
  rb: 'ruby',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  kt: 'kotlin',
  postgres: 'sql',
  postgresql: 'sql',
  mysql: 'sql',
  sqlite: 'sql',
  psql: 'sql',
  md: 'markdown',
  htm: 'html',
};

export function codeLanguage(name: string): string {
  const lower = name.trim().toLowerCase().replace(/^\./u, '');
  return ALIASES[lower] ?? lower;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n([\s\S]*?)(?:^ {0,3}\1|$(?![\s\S]))/gmu;

/** Signs of code in a language that is not named. Each looks at a line. */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  [
    'python',
    /^\s*(?:def \w+\(.*\).*:|class \w+(?:\(.*\))?:|from [\w.]+ import \w|import \w+(?: as \w+)?$|except\b.*:$|elif .*:$|if __name__)/u,
  ],
  [
    'sql',
    /^\s*(?:select\s.+\sfrom\s|insert into\s|update\s+\w+\s+set\s|alter table\s|create (?:unique )?(?:table|index)\s|delete from\s|drop (?:table|index|column)\s)/iu,
  ],
  ['hcl', /^\s*(?:resource|data|module|variable|provider|output)\s+"[\w-]+"(?:\s+"[\w-]+")?\s*\{/u],
  ['go', /^\s*(?:func (?:\(\w+ \*?\w+\) )?\w+\(.*\{|package \w+$|\w+(?:, \w+)* := )/u],
  ['rust', /^\s*(?:(?:pub )?fn \w+.*\{|let mut \w|use \w+::|impl(?:<.*>)? \w+)/u],
  ['typescript', /^\s*(?:interface \w+ \{|type \w+ = |export (?:type|interface) |(?:const|let) \w+: [\w<>[\]|]+ =)/u],
  [
    'javascript',
    /^\s*(?:const \w+ = |let \w+ = |function \w*\(.*\)\s*\{|import .+ from ['"]|export (?:default|const|function) |\}\)?;$|console\.log\()/u,
  ],
  ['shell', /^\s*(?:\$ \w|#!\/(?:usr\/)?bin\/|(?:sudo|apt|npm|git|docker|kubectl|curl) [\w-]+.*(?:--?\w|\|))/u],
  ['java', /^\s*(?:public|private|protected) (?:static )?(?:class|void|int|String|[A-Z]\w+) \w+/u],
  ['html', /<(?:div|span|img|button|a|form|input|p)\b[^>]*>/iu],
  ['css', /^\s*[.#]?[\w-]+\s*\{\s*$|^\s*[\w-]+:\s*[^;{}]+;\s*$/u],
];

export function findCode(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  const rest = text.replace(FENCE, (_all, _fence: string, name: string, body: string) => {
    found.push({ language: name === '' ? guessCode(body) : codeLanguage(name), text: body });
    return '\n';
  });
  const bare = guessCode(rest);
  if (bare !== undefined && looksLikeCode(rest, bare)) found.push({ language: bare, text: rest });
  return found;
}

function guessCode(text: string): string | undefined {
  const lines = text.split('\n').slice(0, 200);
  return SIGNS.find(([, sign]) => lines.some((line) => line.length < 500 && sign.test(line)))?.[0];
}

/** Prose has lines that look like code; code has several, or says so in a way that prose never does. */
function looksLikeCode(text: string, language: string): boolean {
  const sign = SIGNS.find(([name]) => name === language)?.[1];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => line.length < 500 && sign?.test(line) === true).length;
  return telling >= 2 || (telling === 1 && (lines.length <= 2 || language === 'sql' || language === 'hcl'));
}
