/** One attempt, or one harmless thing that looks like an attempt and must go through. */
export interface RedTeamCase<World> {
  readonly kind: 'attack' | 'control';
  /** What is tried, as CASES.md lists it. */
  readonly name: string;
  /** Says what went wrong; undefined when the case holds. */
  readonly attempt: (world: World) => Promise<string | undefined>;
}

export interface Family<World> {
  readonly title: string;
  readonly cases: readonly RedTeamCase<World>[];
}

export function attack<World>(name: string, attempt: RedTeamCase<World>['attempt']): RedTeamCase<World> {
  return { kind: 'attack', name, attempt };
}

export function control<World>(name: string, attempt: RedTeamCase<World>['attempt']): RedTeamCase<World> {
  return { kind: 'control', name, attempt };
}

/** A text that shows what cannot be seen, and one line of it. */
export function shown(text: string): string {
  const plain = JSON.stringify(text.length > 70 ? `${text.slice(0, 60)}… (${text.length} characters)` : text);
  return plain.replaceAll(
    /[^\u0020-\u007E]/gu,
    (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
  );
}
