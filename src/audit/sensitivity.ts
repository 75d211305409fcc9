import { type Sensitivity, compileGlob, sensitivityOf } from '../workspace/formats/layout.ts';

/** One row of S4 §12.1: what is tracked, who usually changes it, and how much a change deserves attention. */
export interface ScopeRow {
  readonly files: string;
  readonly frequency: 'rare' | 'occasional' | 'frequent';
  readonly typicalActor: string;
  readonly sensitivity: Sensitivity;
  readonly holds: string;
}

export const AUDIT_SCOPE: readonly ScopeRow[] = [
  row('SOUL.md', 'rare', 'a person only', 'critical', 'behavioural constitution'),
  row('IDENTITY.md', 'rare', 'a person, first run', 'critical', 'who the agent is'),
  row('USER.md', 'occasional', 'approved reflection', 'high', 'who the user is'),
  row('TOOLS.md', 'occasional', 'a person, the system', 'high', 'what the agent can do'),
  row('AGENTS.md', 'occasional', 'a person', 'high', 'how agents work here'),
  row('MEMORY.md', 'frequent', 'bot, reflection, triggers', 'standard', 'core memory'),
  row('memory/episodes/*', 'frequent', 'bot (append-only)', 'standard', 'what happened'),
  row('memory/graph/*', 'frequent', 'bot, reflection', 'standard', 'knowledge graph'),
  row('memory/procedures/*', 'occasional', 'bot, reflection', 'standard', 'learned workflows'),
  row('memory/vault/*', 'rare', 'a person only (pins)', 'high', 'protected memories'),
  row('memory/meta/*', 'frequent', 'system, reflection', 'standard', 'system records'),
  row('mneme.yaml', 'rare', 'a person only', 'critical', 'configuration'),
];

function row(
  files: string,
  frequency: ScopeRow['frequency'],
  typicalActor: string,
  sensitivity: Sensitivity,
  holds: string,
): ScopeRow {
  return { files, frequency, typicalActor, sensitivity, holds };
}

export type CriticalTest = (path: string) => boolean;

/** Settings can make more files critical, never fewer: an agent that may edit the settings could else mute itself. */
export function createCriticalTest(criticalFiles: readonly string[]): CriticalTest {
  const matchers = criticalFiles.map(compileGlob);
  return (path) => sensitivityOf(path) === 'critical' || matchers.some((matcher) => matcher.test(path));
}
