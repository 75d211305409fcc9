/** A text of at most so many characters, cut at a word where one ends near. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars <= 1) return '';
  const cut = text.slice(0, maxChars - 1).toWellFormed();
  const blank = cut.lastIndexOf(' ');
  return `${(blank > maxChars * 0.6 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}
