/** `1` → `1.1`, `1.2` → `1.3`: a refinement is not a new procedure. What is no such number gets one behind it. */
export function nextVersion(version: string): string {
  const match = /^(\d+)(?:\.(\d+))?$/u.exec(version.trim());
  return match === null ? `${version.trim()}.1` : `${match[1]}.${Number(match[2] ?? 0) + 1}`;
}

/** The version before a refinement; undefined when there was none. */
export function previousVersion(version: string): string | undefined {
  const match = /^([\s\S]*)\.(\d+)$/u.exec(version.trim());
  const [, head = '', tail = ''] = match ?? [];
  if (match === null || tail === '0') return undefined;
  return tail === '1' ? head : `${head}.${Number(tail) - 1}`;
}
