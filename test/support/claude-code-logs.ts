import fs from 'node:fs';
import path from 'node:path';

/** A conversation with Claude Code: what the user said, in a project, on a day. */
export interface LoggedTalk {
  readonly project: string;
  readonly day: string;
  readonly said: readonly string[];
}

/** Writes logs as Claude Code keeps them under a user's folder, one for each conversation. */
export function writeClaudeCodeLogs(userHome: string, talks: readonly LoggedTalk[]): void {
  for (const [at, { project, day, said }] of talks.entries()) {
    const folder = path.join(userHome, '.claude', 'projects', `-home-sam-${project}`);
    const sessionId = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const lines = said.flatMap((text, turn) => {
      const shared = {
        sessionId,
        cwd: `/home/sam/${project}`,
        isSidechain: false,
        userType: 'external',
        version: '2.0.61',
      };
      const minute = String(turn).padStart(2, '0');
      return [
        {
          ...shared,
          type: 'user',
          uuid: `u${at}-${turn}`,
          timestamp: `${day}T09:${minute}:00.000Z`,
          message: { role: 'user', content: text },
        },
        {
          ...shared,
          type: 'assistant',
          uuid: `a${at}-${turn}`,
          timestamp: `${day}T09:${minute}:30.000Z`,
          message: { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }] },
        },
      ];
    });
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(
      path.join(folder, `${sessionId}.jsonl`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  }
}
