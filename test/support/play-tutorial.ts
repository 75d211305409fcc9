import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { playConsole } from './console-story.ts';

interface Tutorial {
  /** The page, whose ids stand for those of this run. */
  readonly text: string;
  /** The home of whoever follows it. */
  readonly folder: string;
  /** Where its `mneme` is found. */
  readonly environment: NodeJS.ProcessEnv;
  /** Called after each command. */
  readonly onPlayed?: (command: string, tookMs: number) => void;
}

/** Types what a page types, in a shell, and gives the page back with what was answered. */
export function playTutorial({ text, folder, environment, onPlayed }: Tutorial): Promise<string> {
  const ids = new Map<string, string>();
  return playConsole(text, (command) => {
    const typed = [...ids].reduce((line, [shown, real]) => line.replaceAll(shown, real), command);
    const { MNEME_HOME: _home, ...rest } = process.env;
    const startedMs = performance.now();
    const { stdout, stderr, status } = spawnSync('bash', ['-euo', 'pipefail', '-c', `${typed} 2>&1`], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...rest, ...environment, HOME: folder, USERPROFILE: folder },
    });
    onPlayed?.(command, performance.now() - startedMs);
    if (status !== 0 || stderr !== '') throw new Error(`${command}: ${status} ${stderr} ${stdout}`);
    const said = stdout.replaceAll(fs.realpathSync(folder), '~').replaceAll(folder, '~');
    const remembered = /^Remembered (\w+) in/mu.exec(said)?.[1];
    const shown = new RegExp(String.raw`^\$ ${escape(command)}\nRemembered (\w+) in`, 'mu').exec(text)?.[1];
    if (remembered !== undefined && shown !== undefined) ids.set(shown, remembered);
    return Promise.resolve(said);
  });
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}
