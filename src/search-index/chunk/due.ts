const DAY = /^\d{4}-\d{2}(?:-\d{2})?$/u;
const WRITTEN = / \(due (\d{4}-\d{2}(?:-\d{2})?)\)/u;

/** A task's day as a passage tells it; empty where its metadata says none. */
export function dueWords(due: unknown): string {
  return typeof due === 'string' && DAY.test(due) ? ` (due ${due})` : '';
}

/** The day that `dueWords` wrote. */
export function dueDayIn(text: string): string | undefined {
  return WRITTEN.exec(text)?.[1];
}
