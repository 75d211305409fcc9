import { propertyIn } from '../entities/property-mention.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { notice } from '../kinds/notice.ts';

/** How sure a page's plain statement is; its trust stays a tool's, so it can only become a proposal. */
const SCORE = 0.6;

/** What tools and pages state about somebody or something the memory knows: single properties, and nothing else. */
export function findToldByTools(scene: Scene): Finding[] {
  const known = new Set(scene.conversation.known?.map(({ name }) => name.toLowerCase()));
  return scene.told.flatMap((utterance): Finding[] => {
    if (utterance.isAsked) return [];
    // In a tool's text "I" is somebody else: what it says of the user has to name them.
    const property = propertyIn(utterance.text, '', scene);
    if (property === undefined) return [];
    const { subject } = property;
    const isKnown = known.has(subject.name.toLowerCase());
    if (subject.isUser !== true && !isKnown) return [];
    const kind = subject.type === 'person' && subject.isUser !== true ? 'person' : 'fact';
    return [{ kind, heard: notice(utterance, scene), score: SCORE, text: utterance.text }];
  });
}
