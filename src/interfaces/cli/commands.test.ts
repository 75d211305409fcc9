import { describe, expect, it } from 'vitest';
import { EVERYDAY, GROUPS } from '../../verb-registry/groups.ts';
import { readEnvironment } from '../../platform/environment.ts';
import { COMMANDS } from './commands.ts';
import { processIo } from './io.ts';
import { runCli } from './run.ts';

const lines = COMMANDS.map(({ command }) => command);
const shown = lines.filter(
  ({ path, isHidden }) => isHidden !== true && GROUPS[path.split(' ')[0] ?? '']?.isHidden !== true,
);

describe('the commands', () => {
  it('are at most 40 at the top, of which at most 10 are everyday ones', () => {
    const top = new Set(shown.map(({ path }) => path.split(' ')[0]));
    expect(top.size).toBeLessThanOrEqual(40);
    const everyday = shown.filter(({ section }) => section === 'everyday');
    expect(everyday.length).toBeLessThanOrEqual(10);
    for (const { path } of everyday) expect(EVERYDAY).toContain(path);
  });

  it('have examples where they are used every day', async () => {
    for (const { command, load } of COMMANDS) {
      if (command.section !== 'everyday') continue;
      const { examples = [] } = await load();
      expect({ path: command.path, examples }).not.toEqual({ path: command.path, examples: [] });
      for (const example of examples) expect(example).toContain(`mneme ${command.path}`);
      expect(command.example).toBe(examples[0]);
    }
  });

  it('stand below a heading of help', () => {
    // `context list` stands below `context`, which is a command itself.
    const sectionOf = (top: string) => GROUPS[top]?.section ?? shown.find(({ path }) => path === top)?.section;
    const tops = new Set(shown.map(({ path }) => path.split(' ')[0] ?? ''));
    expect([...tops].filter((top) => sectionOf(top) === undefined)).toEqual([]);
  });

  it('list something where a group is called alone', () => {
    const groups = new Set(shown.flatMap(({ path }) => groupsAbove(path)));
    const answered = new Set(
      lines.flatMap(({ path, isDefault }) => (isDefault === true ? groupsAbove(path).slice(0, 1) : [path])),
    );
    expect([...groups].filter((group) => !answered.has(group))).toEqual([]);
  });

  it('share no name with another one, present, former or alias', () => {
    const names = lines.flatMap(({ path, aliases = [], formerly = [] }) => [path, ...aliases, ...formerly]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

it('a hook of an agent that is not known does not keep the agent from answering', async () => {
  let said = '';
  const io = { ...processIo(false), err: (text: string) => void (said += text) };
  expect(await runCli(['hook', 'agent-of-tomorrow', 'Stop'], readEnvironment(), io)).toBe(0);
  expect(said).toContain('agent-of-tomorrow');
});

/** `chain keys` and `chain` of `chain keys show`. */
function groupsAbove(path: string): string[] {
  const words = path.split(' ');
  return words.slice(1).map((_, at) => words.slice(0, words.length - 1 - at).join(' '));
}
