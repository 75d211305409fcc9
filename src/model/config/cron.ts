const FIELDS = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  // 7 is Sunday too, as in every crontab.
  { min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const;

type Field = (typeof FIELDS)[number];

/** Whether the text is a five-field cron expression: minute, hour, day of month, month, day of week. */
export function isCron(expression: string): boolean {
  const parts = expression.trim().split(/\s+/);
  return parts.length === FIELDS.length && FIELDS.every((field, index) => isCronField(parts[index] ?? '', field));
}

function isCronField(part: string, field: Field): boolean {
  return part.split(',').every((item) => {
    const [range = '', step, ...rest] = item.split('/');
    if (rest.length > 0 || (step !== undefined && !/^[1-9]\d{0,2}$/.test(step))) return false;
    if (range === '*') return true;
    const bounds = range.split('-').map((bound) => cronNumber(bound, field));
    const [from, to = from] = bounds;
    return bounds.length <= 2 && from !== undefined && to !== undefined && from <= to;
  });
}

function cronNumber(bound: string, field: Field): number | undefined {
  const named = field.names.findIndex((name) => name === bound.toLowerCase());
  if (named >= 0) return named + field.min;
  if (!/^\d{1,2}$/.test(bound)) return undefined;
  const value = Number(bound);
  return value >= field.min && value <= field.max ? value : undefined;
}
