import type { Trust } from '../../../model/provenance.ts';
import type { LocatedTurn, Transcript } from '../../../workspace/formats/transcript.ts';
import type { Attempt, DoneStep } from './attempts.ts';
import { isFailure, stepOfTool } from './signs.ts';

const COMPLAINT =
  /^\W*(?:no\b|nope\b|wrong|that(?:'s| is)(?: not|n't)|not what|this is wrong|it(?:'s| is) (?:broken|wrong)|stop\b|undo|revert|roll (?:it )?back|nein\b|falsch)|\b(?:does(?: not|n't) work|did(?: not|n't) work|still (?:fails|failing|broken)|you broke|funktioniert nicht)\b/iu;
/** Goes on with what was asked before. */
const CONTINUATION =
  /^\W*(?:yes|yep|ok(?:ay)?|go on|go ahead|continue|do it|sure|please do|ja|weiter|mach)\b[^?]{0,40}$/iu;

/** The requests of a conversation, each with what the agent then did and whether anybody was unhappy with it. */
export function attemptsOf({ frontmatter, turns }: Transcript): Attempt[] {
  const session = frontmatter.session_id ?? 'session';
  const attempts: Attempt[] = [];
  const groups = groupByRequest(turns);
  for (const [index, group] of groups.entries()) {
    const steps = group.turns.flatMap(stepsOf);
    if (steps.length < 2) continue;
    const reaction = groups[index + 1]?.request;
    attempts.push({
      where: session,
      source: `${session}#${group.id}`,
      request: group.request,
      steps,
      wentWell: !COMPLAINT.test(reaction ?? '') && !isFailure(lastResult(group.turns)),
      trust: trustOf(frontmatter.trust),
    });
  }
  return attempts;
}

/** Actions of agents are no more trusted than the agent, and never more than the whole conversation. */
function trustOf(trust: Trust | undefined): Trust {
  return trust === undefined || trust === 'user' ? 'agent' : trust;
}

interface RequestGroup {
  readonly id: string;
  readonly request: string;
  readonly turns: LocatedTurn[];
}

function groupByRequest(turns: readonly LocatedTurn[]): RequestGroup[] {
  const groups: RequestGroup[] = [];
  for (const turn of turns) {
    const request = turn.role === 'user' ? wordsOf(turn) : '';
    const isNew = request !== '' && !(groups.length > 0 && CONTINUATION.test(request));
    if (isNew) groups.push({ id: turn.id, request, turns: [] });
    groups.at(-1)?.turns.push(turn);
  }
  return groups;
}

function wordsOf({ parts }: LocatedTurn): string {
  return parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join(' ')
    .trim();
}

function stepsOf({ parts }: LocatedTurn): DoneStep[] {
  return parts.flatMap((part) => (part.kind === 'tool' ? (stepOfTool(part.name, part.args) ?? []) : []));
}

function lastResult(turns: readonly LocatedTurn[]): string {
  const tools = turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool' ? [part] : [])));
  return tools.at(-1)?.result ?? '';
}
