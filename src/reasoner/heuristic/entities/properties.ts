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

const RULES: readonly (readonly [string, RegExp])[] = [
  [
    'residence',
    new RegExp(
      `^${NAME} (?:now |currently )?(?:lives?|is living|moved|moves|is moving) (?:in|to|at) ${VALUE}${END}`,
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
  ['port', new RegExp(`^${NAME} (?:is|listens|runs|sits) (?:on|at) (?:port )?(?<value>\\d{2,5})\\b`, 'iu')],
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

/** The first property a statement gives; most give none. */
export function propertyOf(statement: string): Property | undefined {
  for (const [attribute, pattern] of RULES) {
    const groups = pattern.exec(statement)?.groups;
    const subject = groups?.['subject']?.trim();
    const value = groups?.['value']?.trim();
    if (subject !== undefined && value !== undefined && value !== '') return { attribute, value, subject };
  }
  return undefined;
}
