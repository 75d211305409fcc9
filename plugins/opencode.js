/**
 * Mneme in opencode: the model is told what is remembered about each message, and what is said is taken in. It runs `mneme` for
 * both, because opencode's own runtime lacks what the library needs. Whatever goes wrong, opencode answers without a memory.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
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

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The name that `mneme import opencode` gives the session as well, so that nothing is taken in twice. */
function sessionName(id) {
  const bytes = createHash('sha256').update(`opencode:${id}`).digest();
  let bits = BigInt(`0x${bytes.subarray(0, 9).toString('hex')}`) >> 7n;
  let name = '';
  for (let count = 0; count < 13; count += 1, bits >>= 5n) name = ALPHABET[Number(bits & 31n)] + name;
  return `ses_${name}`;
}

function textOf(parts) {
  return parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\n');
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

  /** What one side said in messages one behind the other is one turn, as in what `mneme import` reads. */
  async function takeIn(id) {
    const session = sessionOf(id);
    const { data = [] } = await client.session.messages({ path: { id } });
    const turns = [];
    for (const { info, parts } of data) {
      if (session.taken.has(info.id)) continue;
      const text = textOf(parts);
      if (text.trim() === '' || (info.role === 'assistant' && info.time.completed === undefined)) continue;
      session.taken.add(info.id);
      const last = turns.at(-1);
      if (last?.role === 'assistant' && info.role === 'assistant') last.texts.push(text);
      else turns.push({ role: info.role, texts: [text], time: new Date(info.time.created).toISOString() });
    }
    for (const { role, texts, time } of turns) {
      await mneme(['session', 'message', sessionName(id), role, '-', '--time', time], texts.join('\n\n'));
    }
  }

  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const session = sessionOf(sessionID);
      const text = textOf(parts);
      const about = ['--session', sessionName(sessionID), '--project', directory];
      if (!session.isStarted) {
        session.isStarted = true;
        await mneme(['session', 'start', sessionName(sessionID), '--channel', 'opencode', '--project', directory], '');
        session.start = await mneme(['context', '--event', 'session-start', ...about], '');
      }
      const told =
        text.trim() === ''
          ? ''
          : await mneme(['context', '-', '--event', 'prompt', '--preset', 'hook', ...about], text);
      // Taken in at once: a program that was asked one thing ends with its answer.
      if (text.trim() !== '') {
        session.taken.add(message.id);
        await mneme(['session', 'message', sessionName(sessionID), 'user', '-'], text);
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
