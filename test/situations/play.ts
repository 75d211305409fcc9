import { openMneme, type Mneme } from '../../src/index.ts';
import { inToolWords, toErrorResult, toMcpError } from '../../src/interfaces/mcp/tool-error.ts';
import type { ToolCall } from '../../src/interfaces/mcp/tool.ts';
import { toolsFor } from '../../src/interfaces/mcp/tools/tools.ts';
import { isMnemeError } from '../../src/model/errors.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { SITUATIONS, type Scene, type Situation } from './situations.ts';

export interface Played extends Situation {
  readonly given: object;
  /** What the model is shown, word by word. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Plays every situation in one home, one after the other. */
export async function playSituations(): Promise<readonly Played[]> {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  const user = await openMneme({ home, actor: 'manual' });
  const played: Played[] = [];
  for (const situation of SITUATIONS) {
    const scene: Scene = { user, call: (tool, args) => callAs(user, tool, args, {}) };
    const given = typeof situation.args === 'function' ? await situation.args(scene) : situation.args;
    const shown = await callAs(user, situation.tool, given, situation);
    played.push({ ...situation, given, shown });
  }
  await user.close();
  return played;
}

/** As `mneme mcp` answers a client that hands the model only what is structured. */
async function callAs(
  { internals }: Mneme,
  name: string,
  args: object,
  { mode = 'full', answers }: Pick<Situation, 'mode' | 'answers'>,
): Promise<Readonly<Record<string, unknown>>> {
  const tool = toolsFor(mode).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const actor = mode === 'full' ? 'bot:main' : 'subagent:mcp';
  const places = { home: internals.home, workspace: internals.workspace.root, userHome: undefined };
  const call: ToolCall = {
    access: { mode, actor },
    context: { ...internals, actor },
    conceal: inToolWords,
    ...(answers === undefined ? {} : { ask: () => Promise.resolve(answers) }),
  };
  try {
    const { structuredContent } = await tool.run(call, args as Readonly<Record<string, unknown>>);
    return structuredContent as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    const { structuredContent, content } = toErrorResult(toMcpError(error, places));
    return (structuredContent ?? { content }) as Readonly<Record<string, unknown>>;
  }
}
