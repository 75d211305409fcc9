/**
 * Mneme in opencode: the model is told what is remembered about each message, and what is said is taken in. It runs `mneme` for
 * both, because opencode's own runtime lacks what the library needs. Whatever goes wrong, opencode answers without a memory.
 */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** After this opencode answers without its memory. */
const TIMEOUT_MS = 5000;

/** Beside this file in the package, if the file is a link to it there; else the one on the PATH. */
function findProgram() {
  const beside = path.resolve(path.dirname(realpathSync(fileURLToPath(import.meta.url))), '..', 'bin', 'mneme');
  return existsSync(beside) ? beside : 'mneme';
}

export const Mneme = async ({ client, directory }, options) => {
  // As `mneme install opencode` wrote it, with the home; a plugin that was linked by hand finds the program itself.
  const [program, ...start] = options?.command ?? [findProgram()];
  /** By session: what the model is told now, and the messages that were taken in. */
  const sessions = new Map();

  const sessionOf = (id) => {
    const known = sessions.get(id) ?? { isStarted: false, told: [], start: '', taken: new Set() };
    sessions.set(id, known);
    return known;
  };

  async function mneme(args, input) {
    try {
      const running = run(program, [...start, ...args], { cwd: directory, timeout: TIMEOUT_MS });
      // A program that ends before it has read says so by its exit.
      running.child.stdin.on('error', () => undefined);
      running.child.stdin.end(input);
      return (await running).stdout.trim();
    } catch (error) {
      const message = String(error.stderr || error.message).trim();
      // Without a log there is nobody left to tell.
      await client.app.log({ body: { service: 'mneme', level: 'warn', message } }).catch(() => undefined);
      return '';
    }
  }

  const named = (id) => `opencode-${id}`;

  async function takeIn(id) {
    const session = sessionOf(id);
    const { data = [] } = await client.session.messages({ path: { id } });
    for (const { info, parts } of data) {
      if (session.taken.has(info.id)) continue;
      const text = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\n');
      if (text.trim() === '' || (info.role === 'assistant' && info.time.completed === undefined)) continue;
      session.taken.add(info.id);
      const time = new Date(info.time.created).toISOString();
      await mneme(['session', 'message', named(id), info.role, '-', '--time', time], text);
    }
  }

  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const session = sessionOf(sessionID);
      const text = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\n');
      const about = ['--session', named(sessionID), '--project', directory];
      if (!session.isStarted) {
        session.isStarted = true;
        await mneme(['session', 'start', named(sessionID), '--channel', 'opencode', '--project', directory], '');
        session.start = await mneme(['context', '--event', 'session-start', ...about], '');
      }
      const told =
        text.trim() === ''
          ? ''
          : await mneme(['context', '-', '--event', 'prompt', '--preset', 'hook', ...about], text);
      // Taken in at once: a program that was asked one thing ends with its answer.
      if (text.trim() !== '') {
        session.taken.add(message.id);
        await mneme(['session', 'message', named(sessionID), 'user', '-'], text);
      }
      // Everything told stays told: opencode asks the model with the system prompt of this moment only.
      if (told !== '') session.told.push(told);
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const { start = '', told = [] } = sessions.get(sessionID) ?? {};
      for (const text of [start, ...told]) if (text !== '') system.push(text);
    },
    event: async ({ event }) => {
      if (event.type === 'session.idle') await takeIn(event.properties.sessionID);
      if (event.type === 'session.deleted') sessions.delete(event.properties.info.id);
    },
  };
};
