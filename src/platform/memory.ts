import v8 from 'node:v8';

/**
 * For work that reads more than it keeps, such as an import: without this the heap grows to several times what is in
 * use before anything is collected (530 MB instead of 400 for a thousand sessions, at the same speed).
 */
export function collectSooner(): void {
  v8.setFlagsFromString('--heap-growing-percent=30');
}
