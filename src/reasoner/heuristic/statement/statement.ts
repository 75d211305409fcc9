import type { Finding, Scene } from '../kinds/finding.ts';
import { capitalise } from '../text/tidy.ts';
import { contextOf } from './context.ts';
import { surroundingsOf } from './neighbours.ts';
import { writeOutDates } from './dates-in-words.ts';
import { toThirdPerson } from './third-person.ts';

/** One sentence that can stand alone, made of the speaker's own words. */
export function stateFinding(finding: Finding, scene: Scene): string {
  const { heard, kind } = finding;
  const { project } = scene.conversation;
  if (heard.utterance.language !== 'en') return `${scene.user}: “${bare(heard.utterance.text)}”.`;
  const isAgents = heard.utterance.turn.role === 'agent';
  const group = project === undefined || project === '' ? scene.user : `the ${project} team`;
  const { before, after } = surroundingsOf(finding, scene);
  const own = finding.text ?? writeOutDates(heard.utterance.text, heard.dates);
  const dated = [...before.map(({ text }) => text), own, ...after.map(({ text }) => text)].map(bare).join('; ');
  const framed = isAgents ? dated : frame(dated, finding, scene.user, group);
  const spoken = isAgents
    ? framed
    : toThirdPerson(framed, {
        user: scene.user,
        group,
        isAgentAddressed: kind === 'preference',
        lexicon: scene.lexicon,
      });
  const context = contextOf(finding, scene);
  return finish(spoken, context, finding, project);
}

/** Forms of address become statements: "let's", "remind me to", and wishes in the imperative. */
function frame(text: string, { kind }: Finding, user: string, group: string): string {
  if (kind === 'decision') {
    return text
      .replace(/^let's not\b/iu, `${group} decided not to`)
      .replace(/^let's\b/iu, `${group} decided to`)
      .replace(/\blet's not\b/iu, `${group} will not`)
      .replace(/\blet's\b/iu, `${group} will`)
      .replace(
        /^(going with|sticking with|staying with|dropping|switching to|keeping|moving to)\b/iu,
        `${group} is $1`,
      );
  }
  if (kind === 'task') {
    return text
      .replace(
        /^(?:please |pls |and |can you |could you |also )*remind me (?:again )?(?:to|that i (?:have|need) to)\b/iu,
        `${user} has to`,
      )
      .replace(
        /^(?:please |can you |could you )*(?:don't let me forget|remember|don't forget) (?:to|that)\b/iu,
        `${user} has to`,
      );
  }
  if (kind === 'preference' && !/\b(?:i|i'm|i'd|my|we|our)\b/iu.test(text)) return `${user} wants: ${text}`;
  return text;
}

function bare(text: string): string {
  return text.replace(/[\s.,;:!?…]+$/u, '');
}

function finish(text: string, context: string | undefined, { kind }: Finding, project: string | undefined): string {
  let body = text.replace(/[\s.,;:!?…]+$/u, '').replace(/\s+/gu, ' ');
  if (context !== undefined) body += ` (${context})`;
  const isProjects = kind !== 'person' && kind !== 'preference';
  if (isProjects && project !== undefined && project !== '' && !body.toLowerCase().includes(project.toLowerCase())) {
    body += ` [${project}]`;
  }
  return `${capitalise(body)}.`;
}
