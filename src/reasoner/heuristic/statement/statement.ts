import type { Lexicon } from '../entities/lexicon.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { capitalise } from '../text/tidy.ts';
import { writeOutDates } from './dates-in-words.ts';
import { namePerson } from './meant-person.ts';
import { surroundingsOf } from './neighbours.ts';
import { toThirdPerson } from './third-person.ts';

/** Words at the edges that add nothing to what is said. */
const LEADING =
  /^(?:(?:ok(?:ay)?|so|btw|by the way|pls|plz|please|well|yeah|yep|fyi|oh|hey|euh|um+|uh+|you know what|good (?:morning|evening)|(?:(?:one|another|two|timeline|something|note|just) (?:more |last |thing )*)?for (?:the record|your notes|your planning|the notes)(?: [^:,.]{1,30})?)\b[\s,.:;!–—-]*|\p{Extended_Pictographic}\uFE0F?\s*)+/iu;
const TRAILING =
  /(?:[\s,.;–—-]+(?:ok(?:ay)?|btw|by the way|pls|plz|please|thx|thanks|lol|haha+|tho|though|yeah|right|fyi))+[\s.,!?…]*$/iu;

/** One sentence made of the speaker's own words, understandable to somebody who was not there. */
export function stateFinding(finding: Finding, scene: Scene): string {
  const { heard } = finding;
  const { language, turn } = heard.utterance;
  const { project } = scene.conversation;
  const user = scene.user === 'The user' ? 'the user' : scene.user;
  if (language !== 'en') return `${scene.user}: “${bare(heard.utterance.text)}”.`;
  const { before, after, lead, person } = surroundingsOf(finding, scene);
  const dated = finding.text ?? writeOutDates(heard.utterance.text, heard.dates);
  const own = person === undefined || before.length > 0 ? dated : namePerson(dated, person);
  const said = [...before.map(({ text }) => text), own, ...after.map(({ text }) => text)].map(trimmed).join('; ');
  // What the agent or a tool says speaks of nobody as "I" that a memory knows.
  const spoken =
    turn.role === 'user' && finding.text === undefined
      ? toThirdPerson(frame(said, finding, user, scene.lexicon), { user, lexicon: scene.lexicon })
      : said;
  return finish(lead === undefined ? spoken : `${lead} ${spoken}`, finding, project);
}

/** Forms of address become statements where what follows leaves no doubt. */
function frame(text: string, { kind }: Finding, user: string, lexicon: Lexicon): string {
  if (kind === 'decision') {
    const { not, verb = '' } = /^let's (?<not>not )?(?<verb>\p{L}+)/iu.exec(text)?.groups ?? {};
    if (lexicon.presentOf(verb.toLowerCase()) === undefined) return text;
    return text.replace(/^let's (?:not )?/iu, `${user} decided ${not === undefined ? '' : 'not '}to `);
  }
  if (kind === 'task') {
    return text
      .replace(ON_A_LIST, `${user} has to `)
      .replace(
        /^(?:(?:please|pls|and|also|can you|could you) )*(?:remind me (?:again )?to|don't let me forget to|remember to|don't forget to)\b/iu,
        `${user} has to`,
      );
  }
  return text.replace(/^(?:please )?(?:remember|don't forget|never forget) to /iu, '');
}

const ON_A_LIST =
  /^(?:(?:add|put)(?: this| it)? (?:to|on)(?:to)? (?:my|the|our) (?:[\p{L}-]+ )?list|(?:new )?(?:to-?do|task))\s*[:,–—-]\s*/iu;

function trimmed(text: string): string {
  const inner = bare(text.replace(LEADING, '').replace(TRAILING, ''));
  return inner === '' ? bare(text) : inner;
}

function bare(text: string): string {
  return text.replace(/[\s.,;:!?…]+$/u, '');
}

function finish(text: string, { kind }: Finding, project: string | undefined): string {
  let body = bare(text).replaceAll(/\s+/gu, ' ');
  const isProjects = kind !== 'person' && kind !== 'preference';
  if (isProjects && project !== undefined && project !== '' && !body.toLowerCase().includes(project.toLowerCase())) {
    body += ` [${project}]`;
  }
  return `${capitalise(body)}.`;
}
