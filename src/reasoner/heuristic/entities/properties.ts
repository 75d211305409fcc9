/** A property that has one value at a time, as a statement in the third person gives it. */
export interface Property {
  readonly attribute: string;
  readonly value: string;
  /** The words the property is said of. */
  readonly subject: string;
}

const NAME = "(?<subject>[\\p{L}\\d][\\p{L}\\d'._ -]{0,40}?)";
const VALUE = "(?<value>[\\p{L}\\d][\\p{L}\\d'@:./ &+-]{0,60}?)";
const END = '(?=[,.;()\\[]|\\s(?:and|but|because|since|so|now|not|instead|from|until|for)\\b|$)';
const OWN_END = '(?=[,.;:()!?"”]|\\s(?:und|aber|weil|y|pero|porque|et|mais|umgezogen|gezogen)\\b|$)';

const RULES: readonly (readonly [string, RegExp])[] = [
  [
    'residence',
    new RegExp(
      `^${NAME} (?:now |currently )?(?:lives?|is living|has (?:just )?moved|moved|moves|is moving) (?:in|to|at) ${VALUE}${END}`,
      'iu',
    ),
  ],
  [
    'employer',
    new RegExp(`^${NAME} (?:now |currently )?(?:works?|is working|started) (?:for|at|with) ${VALUE}${END}`, 'iu'),
  ],
  [
    'role',
    new RegExp(
      `^${NAME} (?:is|works as|became) (?:now )?(?:the|a|an|our|\\S+'s) (?:new )?(?<value>[\\p{L} ]{0,20}?(?:engineer|designer|manager|cto|ceo|lead|intern|teacher|nurse|vet|plumber|doctor|lawyer|developer|landlord|neighbour|neighbor|contact|product owner|sre))${END}`,
      'iu',
    ),
  ],
  ['birthday', new RegExp(`^${NAME}'s birthday is (?:on )?${VALUE}${END}`, 'iu')],
  ['phone', new RegExp(`^${NAME}'s (?:phone|mobile|number)(?: number)? is (?<value>[+\\d][\\d /-]{4,20})`, 'iu')],
  ['email', new RegExp(`^${NAME}(?:'s)? (?:e-?mail(?: address)? )?(?:is|at) (?<value>[\\w.+-]+@[\\w.-]+\\w)`, 'iu')],
  ['address', new RegExp(`^${NAME}'s (?:new )?address is ${VALUE}${END}`, 'iu')],
  [
    'school',
    new RegExp(
      `^${NAME} (?:goes to|attends|is at|starts at) (?<value>(?:the )?[\\p{L} ]*(?:school|schule|kindergarten|college|university)[\\p{L} ]*?)${END}`,
      'iu',
    ),
  ],
  ['port', new RegExp(`^${NAME} (?:is|listens|runs|sits) (?:on|at) port (?<value>\\d{2,5})\\b`, 'iu')],
  // A bare number may be a day or a year.
  ['port', new RegExp(`^${NAME} (?:is|listens|runs|sits) (?:on|at) (?<value>(?!19|20)\\d{4,5})\\b`, 'iu')],
  ['port', new RegExp(`^${NAME}(?:'s)? port is (?:now )?(?<value>\\d{2,5})\\b`, 'iu')],
  ['version', new RegExp(`^${NAME} (?:is on|runs|uses) (?:version |v)(?<value>\\d[\\w.]*)`, 'iu')],
  [
    'database',
    new RegExp(
      `^${NAME}(?:'s)? (?:database is|stores (?:its|the) data in|runs on) (?<value>postgres\\w*|mysql|sqlite|mariadb|mongo\\w*|redis|duckdb)`,
      'iu',
    ),
  ],
  ['deadline', new RegExp(`^(?:the )?deadline (?:for|of) ${NAME} is (?:on )?${VALUE}${END}`, 'iu')],
];

/** Statements of people about themselves, in the languages in which only plain forms are understood. */
const OWN_RULES: readonly (readonly [string, RegExp])[] = [
  [
    'residence',
    new RegExp(`\\bich (?:wohne|lebe|bin) (?:jetzt |nun |seit \\S+ )*(?:in|nach) ${VALUE}${OWN_END}`, 'iu'),
  ],
  ['residence', new RegExp(`\\b(?:vivo en|me mudé a) ${VALUE}${OWN_END}`, 'iu')],
  [
    'residence',
    new RegExp(`\\b(?:j'habite|je vis|j'ai déménagé) (?:maintenant )?(?:à|en|au) ${VALUE}${OWN_END}`, 'iu'),
  ],
  ['employer', new RegExp(`\\bich arbeite (?:jetzt |nun |seit \\S+ )*(?:bei|für) ${VALUE}${OWN_END}`, 'iu')],
  ['employer', new RegExp(`\\btrabajo (?:en|para) ${VALUE}${OWN_END}`, 'iu')],
  ['employer', new RegExp(`\\bje travaille (?:chez|pour) ${VALUE}${OWN_END}`, 'iu')],
  [
    'email',
    /\b(?:meine e-?mail(?:-adresse)? ist|mi (?:correo|email) es|mon (?:e-?mail|adresse) est) (?<value>[\w.+-]+@[\w.-]+\w)/iu,
  ],
];

/** Times are no part of a value: "Berlin last weekend". */
const WHEN =
  /\s+(?:\(?\d{4}-\d\d.*|(?:last|next|this|since|from|until|till|as of|starting|on|in|at|by|two|three|a|some|many|\d+) .*(?:week|weekend|month|year|spring|summer|autumn|fall|winter|day|ago|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|\d{4}|\d(?:st|nd|rd|th)).*|yesterday|today|tomorrow|now|again|recently|currently|already|soon|these days|nowadays|for good|permanently|in \d{4}|jetzt|nun|seit .*|ahora|desde .*|maintenant|depuis .*)$/iu;
/** Figures that look like times are part of these. */
const EXACT = new Set(['phone', 'email', 'port', 'version', 'birthday', 'deadline']);
/** Stands for somebody or something that the words do not name. */
const NOBODY =
  /^(?:we|you|he|she|it|they|that|this|there|who|which|everything|everyone|nobody|someone|what|one|all|(?:and|but|so|if|when|then) .*|.*\b(?:never|not|n't|if|maybe|would|could|should))$/iu;

/** The first property a statement in the third person gives; most give none. */
export function propertyOf(statement: string): Property | undefined {
  for (const [attribute, pattern] of RULES) {
    const groups = pattern.exec(statement)?.groups;
    const subject = groups?.['subject']?.trim();
    const named = groups?.['value']?.trim() ?? '';
    const value = EXACT.has(attribute) ? named : withoutTime(named);
    if (subject !== undefined && !NOBODY.test(subject) && value !== '') return { attribute, value, subject };
  }
  return undefined;
}

/** The property that the speaker states of themselves in another language than English. */
export function ownPropertyOf(text: string): Omit<Property, 'subject'> | undefined {
  for (const [attribute, pattern] of OWN_RULES) {
    const value = withoutTime(pattern.exec(text)?.groups?.['value'] ?? '');
    if (value !== '') return { attribute, value };
  }
  return undefined;
}

function withoutTime(value: string): string {
  let rest = value.trim();
  for (let next = rest.replace(WHEN, ''); next !== rest; next = rest.replace(WHEN, '')) rest = next;
  return rest;
}
