/** Words that tell nothing apart. A question made of nothing else is searched with them all the same. */
const ENGLISH =
  'a about above after again all also am an and any are as at be because been before being below between both but by can ' +
  'could did do does doing down during each few for from further had has have having he her here hers him his how i if in ' +
  'into is it its just me more most my no nor not of off on once only or other our ours out over own same she should so some ' +
  'such than that the their theirs them then there these they this those through to too under until up us very was we were ' +
  'what when where which while who whom whose why will with would you your yours';

/** The rest of contractions once the apostrophe has split them. */
const FRAGMENTS = 's t d ll m re ve don isn aren wasn weren didn doesn hadn hasn haven couldn wouldn shouldn won';

export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${FRAGMENTS}`.split(' '));
