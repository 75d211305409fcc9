import fs from 'node:fs';
import path from 'node:path';
import { CONFIG_FILE } from '../../workspace/config/file.ts';

/** The home a workspace folder belongs to: the nearest folder above it with a mneme.yaml. */
export function findHomeOf(folder: string): string | undefined {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if (fs.existsSync(path.join(current, CONFIG_FILE))) return current;
    if (path.dirname(current) === current) return undefined;
  }
}
