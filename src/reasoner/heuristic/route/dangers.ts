/**
 * Examples near in meaning to statements of what could hurt somebody, and others that are not: they cover words missing from the
 * list. Their vectors are in `assets/model/examples.json` (`npm run generate`).
 */
export const DANGERS = [
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
export const OTHERS = [
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
