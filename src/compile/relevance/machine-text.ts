/** People write a sign or a digit now and then; programs write little else between their words. */
const MACHINE_SIGNS = /[\d[\]{}()<>|:;#/\\=@_*&^%$~+"`-]|(?<=\w)\.(?=\w)/gu;
const MACHINE_SHARE = 0.13;
/** Below this a version number or a path is share enough. */
const MIN_MACHINE_CHARACTERS = 60;
const MAX_READ = 4096;

/** What programs begin their complaints with. */
const MACHINE_LINES = [
  /^\W*(?:fatal|error|warning|panic|traceback|npm err!|segmentation fault|exception|e\d{4})\b[:! [(]/imu,
  /\b\w+(?:Error|Exception|Warning)\b(?::| \[)/u,
  /^\s+at \S+.*[:(]/mu,
  /\bFile "[^"]+", line \d+/u,
  /^\S+:\d+(?::\d+)?: (?:error|warning)/mu,
  /\bpanicked at\b|^(?:curl|docker|bash|zsh|sh|git): /mu,
];

/** Whether a message is mostly the output of a program. */
export function looksLikeMachineText(message: string): boolean {
  const start = message.slice(0, MAX_READ);
  if (MACHINE_LINES.some((pattern) => pattern.test(start))) return true;
  return start.replaceAll(/\s+/gu, '').length >= MIN_MACHINE_CHARACTERS && signShare(start) >= MACHINE_SHARE;
}

/** The share of signs and digits in a text. */
function signShare(text: string): number {
  const dense = text.slice(0, MAX_READ).replaceAll(/\s+/gu, '');
  return (dense.match(MACHINE_SIGNS)?.length ?? 0) / Math.max(1, dense.length);
}
