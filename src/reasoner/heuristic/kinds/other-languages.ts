import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { Language } from '../text/language.ts';
import type { Heard } from './finding.ts';

type Forms = readonly (readonly [KnowledgeKind, RegExp])[];

/** First-person forms that leave no doubt. Everything subtler in these languages is left to a model. */
const FORMS: Readonly<Record<Exclude<Language, 'en' | 'other'>, Forms>> = {
  de: [
    ['task', /\b(?:erinner(?:e)? mich|ich muss noch|wir müssen noch|ich muss (?:bis|am|morgen))\b/u],
    [
      'decision',
      /\b(?:wir haben (?:uns )?(?:entschieden|beschlossen)|ich habe (?:mich )?(?:entschieden|beschlossen)|wir nehmen|wir bleiben bei|es bleibt bei)\b/u,
    ],
    [
      'preference',
      /^(?:bitte )?(?:immer|nie|niemals|ab jetzt)\b|\bich (?:mag|hasse|bevorzuge|will kein\p{L}*)\b|\bbitte (?:nie|niemals|immer|keine?)\b/u,
    ],
    [
      'fact',
      /\bich (?:wohne|lebe|arbeite) (?:jetzt |seit \S+ |nun )*(?:in|bei|als)\b|\bich bin (?:nach|allergisch)\b|\bich heiße\b/u,
    ],
  ],
  es: [
    ['task', /\b(?:recuérdame|tengo que|no me dejes olvidar)\b/u],
    ['decision', /\b(?:hemos decidido|he decidido|decidimos|nos quedamos con|vamos con)\b/u],
    ['preference', /\b(?:prefiero|odio|no me gusta|me encanta|por favor,? (?:nunca|siempre))\b/u],
    ['fact', /\b(?:vivo en|trabajo (?:en|para|como)|me mudé a|soy alérgic[oa]|me llamo)\b/u],
  ],
  fr: [
    ['task', /\b(?:rappelle[- ]moi|je dois|il faut que je)\b/u],
    ['decision', /\b(?:nous avons décidé|on a décidé|j'ai décidé|on garde|on part sur)\b/u],
    ['preference', /\b(?:je préfère|je déteste|j'aime|je n'aime pas|s'il te plaît,? (?:jamais|toujours))/u],
    ['fact', /\b(?:j'habite|je vis|je travaille (?:chez|à|pour|comme)|j'ai déménagé|je suis allergique|je m'appelle)/u],
  ],
};
const DOUBT =
  /\?|\b(?:vielleicht|wenn|falls|würde|könnte|quizás|quizá|tal vez|si|podría|sería|peut-être|serait|pourrait|aurait)\b/u;

export function foreignFormOf({ utterance }: Heard): KnowledgeKind | undefined {
  const { language, plain, isAsked } = utterance;
  if (language === 'en' || language === 'other' || isAsked || DOUBT.test(plain)) return undefined;
  return FORMS[language].find(([, pattern]) => pattern.test(plain))?.[0];
}
