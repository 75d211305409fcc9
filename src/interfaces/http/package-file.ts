import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file or folder of the package; it stands above both this folder and the bundle's. Undefined when it is not there. */
export function findPackageFile(relative: string): string | undefined {
  const candidates = [`../${relative}`, `../../../${relative}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return candidates.find((file) => fs.existsSync(file));
}
