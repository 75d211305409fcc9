/** An answer that is JSON already. */
export class ReadyJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** As the command line prints it: what has no JSON of its own becomes what a reader expects. */
export function toJson(result: unknown): string {
  if (result instanceof ReadyJson) return result.text;
  const text = JSON.stringify(result, (_key, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value) as unknown;
    return Buffer.isBuffer(value) ? value.toString('utf8') : value;
  });
  return text ?? 'null';
}
