/**
 * Whether two statements differ in one place only. "Service 12 listens on port 1012" and "Service 13 listens on port 1013" have
 * another value each because they speak of two services; one statement with another value differs once.
 */
export function confidentlyDiffer(one: string, other: string): boolean {
  const [left, right] = [words(one), words(other)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const ours = left.slice(start, left.length - end);
  const theirs = right.slice(start, right.length - end);
  const isNegated = ours.length === 0 || theirs.length === 0;
  return isNegated || !ours.some((word) => theirs.includes(word));
}

function words(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’.:,/-][\p{L}\p{N}]+)*/gu) ?? []
  );
}
