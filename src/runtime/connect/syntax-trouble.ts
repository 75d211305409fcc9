/** Where a settings file cannot be understood; whoever knows the file's name makes a message of it. */
export class SyntaxTrouble extends Error {
  constructor(text: string, at: number, what: string) {
    const before = text.slice(0, at).split('\n');
    super(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${what}`);
    this.name = 'SyntaxTrouble';
  }
}
