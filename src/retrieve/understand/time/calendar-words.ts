/** Names of months in the languages understood, folded; the place in the list is the month. */
const MONTH_NAMES = [
  'january jan januar janner enero janvier',
  'february feb februar febrero fevrier',
  'march mar marz maerz marzo mars',
  'april apr abril avril',
  'may mai mayo',
  'june jun juni junio juin',
  'july jul juli julio juillet',
  'august aug agosto aout',
  'september sept sep septiembre setiembre septembre',
  'october oct oktober okt octubre octobre',
  'november nov noviembre novembre',
  'december dec dezember dez diciembre decembre',
];

export const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** Also verbs, people, planets or abbreviations of something else: a month only beside words that say so. */
export const AMBIGUOUS_MONTHS = new Set(
  'may march mar mars jan dec sep nov apr jun jul aug feb oct okt dez april june august avril abril julio juli mai juin'.split(
    ' ',
  ),
);

const SEASON_NAMES = [
  'winter invierno hiver',
  'spring fruhling fruhjahr primavera printemps',
  'summer sommer verano ete',
  'autumn fall herbst otono automne',
];

/** The month in which a season begins in the north; its winter belongs to the year in which it begins. */
const SEASON_STARTS = [12, 3, 6, 9];

export const SEASONS: ReadonlyMap<string, number> = new Map(
  SEASON_NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, SEASON_STARTS[index] ?? 1] as const)),
);

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const UNIT_PATTERNS: readonly (readonly [Unit, RegExp])[] = [
  ['year', /\b(?:years?|yrs?|jahre?s?n?|anos?|ans?|annees?)\b/u],
  ['quarter', /\b(?:quarters?|quartale?s?|trimestres?)\b/u],
  ['month', /\b(?:months?|monate?s?n?|mes|meses|mois)\b/u],
  ['week', /\b(?:weeks?|wochen?|semanas?|semaines?)\b/u],
  ['day', /\b(?:days?|tage?n?|dias?|jours?)\b/u],
  ['hour', /\b(?:hours?|hrs?|stunden?|horas?|heures?)\b/u],
  ['minute', /\b(?:minutes?|mins?|minuten?|minutos?|seconds?|secs?|sekunden?|segundos?|secondes?)\b/u],
];

/** The unit a relative expression counts in, in its folded words. */
export function findUnit(foldedPhrase: string): Unit | undefined {
  return UNIT_PATTERNS.find(([, pattern]) => pattern.test(foldedPhrase))?.[0];
}

export function alternatives(words: Iterable<string>): string {
  return [...words].sort((one, other) => other.length - one.length).join('|');
}

const WEEKDAYS =
  'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend ' +
  'sonntag lunes martes miercoles jueves viernes sabado domingo lundi mardi mercredi jeudi vendredi samedi dimanche';

const SHORT_WEEKDAYS = 'mon tue tues wed thu thur thurs fri sat sun';

/** Every expression holds one of these, a month, a weekday or a figure; "last" and "this" alone say nothing. */
const HINTS =
  'ago yesterday today tonight tomorrow morning afternoon evening night day days week weeks weekend month months quarter ' +
  'quarters year years gestern heute vorgestern morgen abend nacht tag tage tagen woche wochen wochenende monat monate ' +
  'monaten quartal jahr jahre jahren stunden minuten neulich ayer anteayer anoche hoy dia dias semana semanas mes meses ' +
  'trimestre ano anos hier aujourd jour jours semaine semaines mois annee annees ans heures minutes matin soir nuit ' +
  'christmas weihnachten navidad noel halloween thanksgiving silvester';

/** Cheap and generous: without any of these words or figures, no time is named and the date parser is not loaded. */
const HINT = new RegExp(
  `\\b(?:${alternatives([...new Set([...HINTS.split(' '), ...WEEKDAYS.split(' '), ...SHORT_WEEKDAYS.split(' '), ...MONTHS.keys(), ...SEASONS.keys()])])})\\b` +
    `|\\b(?:19|20)\\d\\d\\b|\\b\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}\\b|\\b\\d0s\\b|\\bq[1-4]\\b`,
  'u',
);

export function hasTimeHint(foldedText: string): boolean {
  return HINT.test(foldedText);
}
