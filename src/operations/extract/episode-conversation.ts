import type { Episode } from '../../memory/episodes/read-episodes.ts';
import { realName } from '../../model/knowledge.ts';
import type { HeardConversation } from '../../reasoner/port.ts';
import { parseMoment } from '../../workspace/git/revisions.ts';
import type { OperationContext } from '../context.ts';

/** A journal entry as the conversation of one turn, for the reasoner to extract from. */
export function asConversation(
  { config, clock, entities }: OperationContext,
  { meta, text, date, time }: Episode,
): HeardConversation {
  const { time_zone: timeZone } = config;
  const stated = meta.time === undefined ? Number.NaN : Date.parse(meta.time);
  const dayMs =
    parseMoment(`${date} ${time ?? '12:00'}`, clock.now(), timeZone) ?? parseMoment(date, clock.now(), timeZone);
  return {
    session: meta.session ?? '',
    user: realName(entities.findUser()?.name),
    timeZone,
    turns: [
      {
        id: meta.turn ?? 't1',
        role: meta.trust === 'user' ? 'user' : 'agent',
        text,
        timeMs: Number.isNaN(stated) ? (dayMs ?? clock.now()) : stated,
        trust: meta.trust,
      },
    ],
    known: entities.known(),
  };
}
