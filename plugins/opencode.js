/**
 * Mneme in opencode: the model is told what is remembered about each message, and what is said is taken in. It runs `mneme` for
 * both, because opencode's own runtime lacks what the library needs. Whatever goes wrong, opencode answers without a memory.
 */
import { mnemeRunner, sessionName } from './program.js';

function textOf(parts) {
  return parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\n');
}

export const Mneme = async ({ client, directory }, options) => {
  /** By session: what the model is told now, and the messages that were taken in. */
  const sessions = new Map();

  const sessionOf = (id) => {
    const known = sessions.get(id) ?? { isStarted: false, told: [], start: '', taken: new Set() };
    sessions.set(id, known);
    return known;
  };

  const mneme = mnemeRunner({
    cwd: directory,
    // As `mneme install opencode` wrote it, with the home; a plugin that was linked by hand finds the program itself.
    command: options?.command,
    // Without a log there is nobody left to tell.
    onProblem: (message) =>
      client.app.log({ body: { service: 'mneme', level: 'warn', message } }).catch(() => undefined),
  });

  const nameOf = (id) => sessionName(`opencode:${id}`);

  /** Messages of one side, one behind the other, are one turn, as in what `mneme import` reads. */
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
      await mneme(['session', 'message', nameOf(id), role, '-', '--time', time], texts.join('\n\n'));
    }
  }

  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const session = sessionOf(sessionID);
      const text = textOf(parts);
      const about = ['--session', nameOf(sessionID), '--project', directory];
      if (!session.isStarted) {
        session.isStarted = true;
        await mneme(['session', 'start', nameOf(sessionID), '--channel', 'opencode', '--project', directory], '');
        session.start = await mneme(['context', '--event', 'session-start', ...about], '');
      }
      const told =
        text.trim() === ''
          ? ''
          : await mneme(['context', '-', '--event', 'prompt', '--preset', 'hook', ...about], text);
      // Taken in at once: a program that was asked one thing ends with its answer.
      if (text.trim() !== '') {
        session.taken.add(message.id);
        await mneme(['session', 'message', nameOf(sessionID), 'user', '-'], text);
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
