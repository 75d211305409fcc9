/** Writes schemas/*.schema.json from the zod source; with --check only reports, and exits 1, when they are stale. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonSchemaFiles } from './api/json-schema.ts';

const folder = fileURLToPath(new URL('../schemas/', import.meta.url));
mkdirSync(folder, { recursive: true });

const wanted = jsonSchemaFiles();
const present = readdirSync(folder).filter((name) => name.endsWith('.schema.json'));
const stale = [...wanted].filter(
  ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
);
const surplus = present.filter((name) => !wanted.has(name));

if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`schemas/${name} is stale.`);
  for (const name of surplus) console.error(`schemas/${name} has no source.`);
  if (stale.length + surplus.length > 0) {
    console.error('Run: node scripts/generate-schemas.ts');
    process.exitCode = 1;
  }
} else {
  for (const [name, text] of stale) writeFileSync(join(folder, name), text);
  for (const name of surplus) rmSync(join(folder, name));
  console.log(`${wanted.size} schemas, ${stale.length} written, ${surplus.length} removed.`);
}
