import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jsonSchemaFiles } from './json-schema.ts';

const folder = new URL('../../schemas/', import.meta.url);

describe('published JSON Schemas', () => {
  test.each([...jsonSchemaFiles()])('%s is up to date (npm run schemas writes it)', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
  });

  test('there is no file without a source', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.schema.json'));
    expect(files.sort()).toEqual([...jsonSchemaFiles().keys()].sort());
  });

  test('the topic schema tells an editor every kind of trigger', () => {
    const schema = JSON.parse(jsonSchemaFiles().get('topic.schema.json') ?? '') as {
      properties: { triggers: { items: { oneOf: { properties: { type: { const: string } } }[] } } };
    };
    expect(schema.properties.triggers.items.oneOf.map((trigger) => trigger.properties.type.const)).toEqual([
      'pattern',
      'glob',
      'keywords',
      'mention',
      'url',
      'code',
      'language',
      'sentiment',
      'webhook',
      'cron',
    ]);
  });
});
