/** The value below which the given share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Progress goes to standard error, so that standard output ends with the result. */
export function progress(message: string): void {
  process.stderr.write(`… ${message}\n`);
}

/** A readable table, or with `--json` only the object; either way the last line is one JSON object. */
export function printResult(isJson: boolean, name: string, result: Record<string, unknown>): void {
  const rounded = Object.fromEntries(
    Object.entries(result).map(([key, value]) => [key, typeof value === 'number' ? roundValue(value) : value]),
  );
  if (!isJson) {
    process.stdout.write(`${name}\n`);
    for (const [key, value] of Object.entries(rounded))
      process.stdout.write(`  ${key.padEnd(22)} ${JSON.stringify(value)}\n`);
  }
  process.stdout.write(`${JSON.stringify(rounded)}\n`);
}

function roundValue(value: number): number {
  return Number(value.toPrecision(4));
}
