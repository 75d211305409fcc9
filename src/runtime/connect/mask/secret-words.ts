/** The placeholder for a value. The redactor of texts knows this form and leaves it alone. */
export const MASK = '[redacted:setting]';

/** As the end of a name, whatever stands before it: API_TOKEN, apikey, X-Client-Secret. */
const SECRET_END =
  /(?:token|key|secret|password|passwd|passphrase|pwd|credential|cred|bearer|cookie|oauth|authorization|authentication)s?$/u;
/** As a word of its own: an "author" is none, and neither is the event SessionStart. */
const SECRET_WORDS: ReadonlySet<string> = new Set(['auth', 'pass', 'jwt', 'pat', 'pin']);
const SESSION = /session(?:id)?s?$/u;

/** Whether what is called so is nobody else's business. */
export function namesSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    .filter((word) => word !== '');
  return (
    words.some((word) => SECRET_END.test(word) || SECRET_WORDS.has(word)) || SESSION.test(words.join('').toLowerCase())
  );
}

/** Bounded on both sides: settings hold texts of many thousand characters. */
const NAME = String.raw`(?<![\w.-])[\w.-]{1,80}`;
/** `?key=…`, `TOKEN=…`, `--token=…` */
const ASSIGNED = new RegExp(String.raw`(${NAME})=([^&\s"'#;]+)`, 'gu');
/** `X-Api-Key: …`: a header's value may hold spaces. */
const HEADER = new RegExp(String.raw`(${NAME}):\s*([^\s/][^"']*)`, 'gu');
/** `--token …` inside the words of one command. */
const OPTION = new RegExp(String.raw`(?<=^|\s)(?=-)(${NAME})\s+(?!-)([^\s"']+)`, 'gu');
const SCHEME = /\b(Bearer|Basic)\s+([^\s"']+)/giu;
/** `https://user:password@host` */
const USER_INFO = /(?<=:\/\/)()([^\s/?#@"']+)(?=@)/gu;

/** A text without the secrets that it names itself. */
export function maskInside(text: string): string {
  const maskNamed = (all: string, name: string, value: string): string =>
    namesSecret(name) ? all.slice(0, all.length - value.length) + MASK : all;
  const maskAny = (all: string, _name: string, value: string): string => all.slice(0, all.length - value.length) + MASK;
  return text
    .replaceAll(USER_INFO, maskAny)
    .replaceAll(HEADER, maskNamed)
    .replaceAll(ASSIGNED, maskNamed)
    .replaceAll(OPTION, maskNamed)
    .replaceAll(SCHEME, maskAny);
}

/** An argument, by the one before it: `--token`, `…`; `-e`, `NAME=…`; `-H`, `Name: …`. */
export function maskArgument(text: string, before: string | undefined): string {
  if (before !== undefined && /^--?[A-Za-z][\w.-]*$/u.test(before)) {
    if (namesSecret(before)) return MASK;
    const given = /^(?:-e|--env|-H|--headers?)$/u.test(before) ? /^([^=:]+[=:]\s*).+$/su.exec(text)?.[1] : undefined;
    if (given !== undefined) return given + MASK;
  }
  return maskInside(text);
}

const IN_COMMENT =
  /^(.*?(?:token|key|secret|passw|pwd|auth|credential|bearer|cookie|session|env|headers).*?[:=,\s]).+$/isu;

/** Comments hold entries that somebody took out for a while. What comes after a telling word is not worth the risk. */
export function maskComment(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(IN_COMMENT, `$1${MASK}`))
    .join('\n');
}
