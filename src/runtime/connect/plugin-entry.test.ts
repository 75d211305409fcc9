import { describe, expect, it } from 'vitest';
import type { PluginTarget } from './client.ts';
import { connectPlugin, disconnectPlugin, findPlugin } from './plugin-entry.ts';

const TARGET: PluginTarget = {
  kind: 'plugin',
  format: 'json',
  file: 'opencode.json',
  path: ['plugin'],
  name: 'opencode',
};
const PROGRAM = { command: '/usr/bin/node', args: ['/opt/mneme/bin/mneme', '--home', '/other'] };

describe('a plugin in the list of a program', () => {
  it.each([
    '{\n  "plugin": ["opencode-wakatime", ["file:///home/me/plugins/opencode.js", {}]] // mine\n}\n',
    '{\n  "plugin": []\n}\n',
    '{ "theme": "dark" }\n',
    '{\n\t"plugin": [\n\t\t"one",\n\t],\n}\n',
  ])('stands beside those of others, and goes without a trace: %j', (before) => {
    const { text, made } = connectPlugin(before, TARGET, PROGRAM);
    expect(text).toContain('"file:///opt/mneme/plugins/opencode.js"');
    expect(findPlugin(text, TARGET)?.home).toBe('/other');
    expect(connectPlugin(text, TARGET, PROGRAM)).toEqual({ text, made: [] });
    expect(disconnectPlugin(text, TARGET, made)).toBe(before);
  });

  it('follows a program that was moved, and its home', () => {
    const { text } = connectPlugin('{}', TARGET, PROGRAM);
    const moved = connectPlugin(text, TARGET, { command: '/usr/bin/node', args: ['/srv/mneme/bin/mneme'] });
    expect(moved.text).toContain('file:///srv/mneme/plugins/opencode.js');
    expect(moved.text).not.toContain('/opt/mneme');
    expect(findPlugin(moved.text, TARGET)).toMatchObject({ home: undefined });
  });

  it('is refused where the settings have no list, or this program no place', () => {
    expect(() => connectPlugin('{ "plugin": "one" }', TARGET, PROGRAM)).toThrow(/"plugin" is no list/u);
    expect(() => connectPlugin('{}', TARGET, { command: 'mneme', args: [] })).toThrow(/is not known/u);
  });
});
