import { lowestTrust, type Trust } from '../../model/provenance.ts';
import { ownWords } from '../../judge/handed-over/split.ts';
import type { Transcript } from '../../workspace/formats/transcript.ts';
import { isFailure, stepOfTool } from '../procedures/learn/signs.ts';
import { clockOf, momentIn, type Occurrence } from './occurrence.ts';
import { RequestNames } from './requests.ts';

/** A label that says what the user asked for. */
export const ASKED = 'asked: ';

interface Happened {
  readonly id: string;
  readonly occasion: string;
  readonly timeMs: number;
  readonly trust: Trust;
  /** The user's request, or the tool call and its outcome. */
  readonly request?: string | undefined;
  readonly labels: readonly string[];
}

/** Finds the users' requests and the tool calls, by the conversations in which they happened. */
export function occurrencesIn(transcripts: readonly Transcript[], timeZone: string): Occurrence[] {
  const happened = transcripts.flatMap((transcript) => happenedIn(transcript, timeZone));
  const names = new RequestNames();
  return happened
    .toSorted((one, other) => one.timeMs - other.timeMs)
    .flatMap(({ id, occasion, timeMs, trust, request, labels }): Occurrence[] => {
      const name = request === undefined ? undefined : names.nameOf(request);
      const all = name === undefined ? labels : [...labels, `${ASKED}${name}`];
      return all.length === 0 ? [] : [{ id, occasion, timeMs, trust, labels: all, ...clockOf(timeMs, timeZone) }];
    });
}

function happenedIn({ frontmatter, turns }: Transcript, timeZone: string): Happened[] {
  const occasion = frontmatter.session_id ?? '';
  if (occasion === '') return [];
  const zone = frontmatter.timezone ?? timeZone;
  // An agent's actions are no more trusted than the agent, and nothing more than the whole conversation.
  const trust = lowestTrust(['agent', frontmatter.trust ?? 'agent']);
  return turns.flatMap(({ id, date, time, role, parts }): Happened[] => {
    const timeMs = momentIn(date, time, zone);
    if (timeMs === undefined) return [];
    const about = { id: `${occasion}#${id}`, occasion, timeMs, trust };
    const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');
    if (role === 'user') return text === '' ? [] : [{ ...about, request: ownWords(text), labels: [] }];
    const labels = parts.flatMap((part) =>
      part.kind === 'tool' ? labelsOfTool(part.name, part.args, part.result) : [],
    );
    return labels.length === 0 ? [] : [{ ...about, labels: [...new Set(labels)] }];
  });
}

/** `npm test`, and `npm test fails` where it did: what fixed it comes after that. */
function labelsOfTool(name: string, args: string, result: string | undefined): string[] {
  const step = stepOfTool(name, args);
  if (step === undefined) return [];
  return isFailure(result ?? '') ? [`${step.sign} fails`] : [step.sign];
}
