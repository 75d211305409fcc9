type Rule = readonly [RegExp, (...parts: string[]) => string];

/** Why a memory was told or left out, as the receipt says it, in words for a person. */
const RULES: readonly Rule[] = [
  [
    /^helps with a chance of (\S+ ?%), less than (\S+ ?%)$/u,
    (_all, chance = '', least = '') => `Only ${chance} likely to help; the bar was ${least}`,
  ],
  [/^not among the best (\d+)/u, (_all, count = '') => `At least ${count} others were closer`],
  [/^repeats core/u, () => 'Core memory says it already'],
  [/^repeats (.+)$/u, (_all, other = '') => `It repeats ${other}`],
  [/^already told in this session/u, () => 'Told earlier in this conversation'],
  [/^already in this conversation/u, () => 'It was said in this very conversation'],
  [/^over budget/u, () => 'No room was left for it'],
  [/^too little in common/u, () => 'Too little in common with the message'],
  [/^included: a trigger matched: (.+)$/u, (_all, trigger = '') => `A trigger matched: ${trigger}`],
  [/^included(?:: (.+))?$/u, (_all, more = '') => more],
];

export function because(reason: string): string {
  for (const [pattern, write] of RULES) {
    const found = pattern.exec(reason);
    if (found !== null) return write(...found);
  }
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** Why memory was, or was not, looked up for a message: `memory is needed for this prompt (chance 99 %, needs 65 %)`. */
export function decisionWords(reason: string): string {
  const chance = /chance (\S+ ?%), needs (\S+ ?%)/u.exec(reason);
  if (chance === null) return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  const [, found = '', needed = ''] = chance;
  return /is needed/u.test(reason)
    ? `Mneme was ${found} sure that memory helps here.`
    : `Mneme was only ${found} sure that memory helps here; it speaks up from ${needed}.`;
}
