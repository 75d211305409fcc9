import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { listKeys } from '../src/model/config/keys.ts';
import { REFERENCE_FILE, renderConfigReference } from './generate-config-reference.ts';

it('docs/configuration.md says what the schema says', async () => {
  expect(await readFile(REFERENCE_FILE, 'utf8')).toBe(renderConfigReference());
});

it('has one row per setting', () => {
  const rows =
    renderConfigReference()
      .split('\n## Jobs\n')[0]
      ?.match(/^\| `[a-z0-9_.]+` \|/gm) ?? [];
  expect(rows).toHaveLength(listKeys().length);
});
