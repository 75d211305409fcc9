/** Renders an agent's text as one line that cannot begin a heading, a rule or a field of its own. */
export function quoteInline(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('<!--', String.raw`<\!--`)
    .replaceAll('**', String.raw`\*\*`)
    .trim();
}
