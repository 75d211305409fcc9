/** Amounts as people read them. */

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

export function showBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit] ?? ''}`;
}

export function showSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

/** `9 412`: long numbers in groups, whatever the language of the machine. */
export function showCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, '\u202F');
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 ? one : many}`;
}
