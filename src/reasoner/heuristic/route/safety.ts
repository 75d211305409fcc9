import { packagedJudge } from '../../../judge/packaged.ts';
import { SAFETY } from '../../../model/safety-words.ts';

/** What such statements are near to in meaning, and what others are: words that the list does not have. */
const DANGERS = [
  'allergic reaction, could die',
  'has a serious illness and needs medication',
  'must not take this medicine',
  'emergency contact phone number',
  'blood type',
  'dangerous, do not touch',
  'where the first aid kit and fire extinguisher are',
  'what to do in a medical emergency',
  'in case of fire or alarm leave the building at once',
  'poisonous chemicals, gas or explosion',
];
const OTHERS = [
  'answer in short sentences',
  'my name, job and home town',
  'likes this food and drink',
  'lives and works there',
  'the server, database and website',
  'birthday and phone number',
  'prefers to travel this way',
  'steps to build, test and release software',
  'units, numbers and formatting',
  'speaks a language, plays an instrument',
];
/** How much nearer to danger than to anything else: half of what words alone would miss, and nothing else so far. */
const NEARER = 0.18;

/** Whether somebody could be hurt if it were not known. */
export function isSafety(text: string): boolean {
  if (SAFETY.test(text)) return true;
  const [danger = 0, other = 0] = packagedJudge().nearestOf(text, [DANGERS, OTHERS]);
  return danger - other >= NEARER;
}
