/** The moments of an agent's life that Mneme takes part in, as Claude Code names them. */
export const HOOK_EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const HOOK_AGENT_NAMES = ['claude-code', 'codex', 'gemini'] as const;
export type HookAgentName = (typeof HOOK_AGENT_NAMES)[number];

/** A program that calls commands of its user's choice at such moments. */
export interface HookAgent {
  readonly name: HookAgentName;
  readonly title: string;
  /** Its names for the events; those it does not have are left out. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
  /** In which unit its settings give the time after which it ends a hook. */
  readonly timeoutUnit: 'seconds' | 'milliseconds';
}

const PLAIN = {
  SessionStart: 'SessionStart',
  UserPromptSubmit: 'UserPromptSubmit',
  Stop: 'Stop',
  PreCompact: 'PreCompact',
} as const;

const AGENTS: Readonly<Record<HookAgentName, HookAgent>> = {
  'claude-code': {
    name: 'claude-code',
    title: 'Claude Code',
    events: { ...PLAIN, SessionEnd: 'SessionEnd' },
    timeoutUnit: 'seconds',
  },
  codex: { name: 'codex', title: 'Codex', events: PLAIN, timeoutUnit: 'seconds' },
  gemini: {
    name: 'gemini',
    title: 'Gemini CLI',
    events: {
      SessionStart: 'SessionStart',
      UserPromptSubmit: 'BeforeAgent',
      Stop: 'AfterAgent',
      PreCompact: 'PreCompress',
      SessionEnd: 'SessionEnd',
    },
    timeoutUnit: 'milliseconds',
  },
};

export function hookAgent(name: HookAgentName): HookAgent {
  return AGENTS[name];
}

/** An event by the program's own name or by ours: `SessionStart`, `session-start` and `sessionstart` are the same. */
export function findHookEvent(name: string | undefined, { events }: Pick<HookAgent, 'events'>): HookEvent | undefined {
  const plain = plainly(name ?? '');
  return HOOK_EVENTS.find((event) => plainly(event) === plain || plainly(events[event] ?? '-') === plain);
}

function plainly(name: string): string {
  return (
    name
      .replaceAll(/[^A-Za-z-]/gu, '')
      .replaceAll('-', '')
      .toLowerCase() || '-'
  );
}
