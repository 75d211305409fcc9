/** Names of secrets in English, German, Spanish and French, and the marks of compounds of such a word. */

/** No letter, digit or underscore before or after: `\b` knows no accents. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_])`;
const AFTER = String.raw`(?![\p{L}\p{N}_])`;

const asWord = (alternatives: string): RegExp => new RegExp(`${BEFORE}(?:${alternatives})${AFTER}`, 'giu');

export type NounKind = 'password' | 'secret' | 'pin' | 'cvv' | 'recovery-code';

/** In order: where two begin at the same place, the earlier one names the secret. */
export const NOUNS: readonly (readonly [NounKind, RegExp])[] = [
  [
    'recovery-code',
    asWord(
      String.raw`(?:recovery|backup|rescue|emergency|scratch)[ -](?:codes?|keys?)|wiederherstellungs(?:codes?|schlüssels?)|notfallcodes?|(?:códigos?|claves?) de (?:recuperación|respaldo)|(?:codes?|clés?) de (?:récupération|secours)`,
    ),
  ],
  [
    'cvv',
    asWord(
      String.raw`cvv2?|cvc2?|card (?:verification|security) (?:code|number)|security code|(?:karten)?prüfnummer|kartenprüfziffer|código de seguridad|cryptogramme(?: visuel)?`,
    ),
  ],
  [
    'pin',
    asWord(
      String.raw`(?:(?:card|bank|sim|phone|debit|ec|karten?|handy|tarjeta|carte)[ -])?pin|(?<=-)pin|puk|pin[ -](?:code|nummer)|código pin|code pin|geheim(?:code|zahl|nummer)|code secret|código secreto|code de (?:la|ma|sa|votre) carte|clave (?:de|del) (?:la |el )?(?:tarjeta|cajero)`,
    ),
  ],
  [
    'secret',
    asWord(
      String.raw`(?:api|access|auth|webhook|subscription|bot|zugriffs|zugangs|sicherheits)[ -]?(?:keys?|tokens?|schlüssels?|secrets?)|geheimnis(?:ses)?|tokens?|secrets?|clave (?:de |de la )?api|clave secreta|clés? (?:d[’']|de l[’'])?api|clé secrète|jetons?(?: d[’']accès)?`,
    ),
  ],
  [
    'password',
    new RegExp(
      // Compounds end in these (`WLAN-Passwort`); looking for their beginnings would cost more than all other rules.
      String.raw`(?:pass(?:words?|wd|phrase|code|wort(?:e?s)?)|pwd|kennwort(?:e?s)?|zugangscodes?|contraseñas?|mots? de passe|code d[’']accès|código de acceso|(?<![\p{L}\p{N}_])(?:pw|psw|mdp|clave(?: de (?:acceso|paso|entrada))?))${AFTER}`,
      'giu',
    ),
  ],
];

/** `password page`, `password manager`: what follows is about something else. */
export const COMPOUND =
  /^[ \t-](?:managers?|pages?|fields?|polic(?:y|ies)|prompts?|hints?|rotation|resets?|lengths?|hash(?:es)?|forms?|generators?|vaults?|files?|strength|changed?|changes|rules?|protected|protection|boxe?s?|checks?|count|budgets?|limits?|expir\w*|prefix(?:es)?|param\w*|variables?|type|header|endpoint|santa|service|server|sharing|list|databases?|attempts?)(?![\p{L}\p{N}_])/iu;

/** Areas have such codes, too. */
export const POSTAL = /(?:^|[^\p{L}])(?:area|postal|zip|city|region|town|district|village|delivery)(?:$|[^\p{L}])/iu;

/** Verbs that give it a value. */
export const SETTING =
  /(?:^|[^\p{L}])(?:sets?|setting|chang(?:e|es|ed|ing)|reset|updat(?:e|ed)|switched|rotated|made|gesetzt|geändert|setze|ändere|stelle|gestellt|cambi\p{L}{0,5}|puse|pus[eo]|puesto|actualic\p{L}{1,3}|chang[éèea]\p{L}{0,4}|mis|modifi\p{L}{1,4})(?:$|[^\p{L}])/iu;

/** Tokens that are handed out to be passed around: positions in lists, parts of grammars and design systems. */
export const HARMLESS_TOKEN =
  /(?:page|next|continuation|sync|cursor|cancell?ation|pagination|sequence|change|design|stop|eos|bos|pad|unk|mask|special)[\s_-]?$/i;
