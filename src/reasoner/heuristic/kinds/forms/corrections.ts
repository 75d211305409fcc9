import type { Form } from './form.ts';

/** What a person begins with who puts something right. */
const DENIAL = /^(?:no|nope|nah|wrong|sorry|actually|wait|correction|careful|oops|no no)\b/u;
/** "…, not …": the wrong value stands at the end. */
const CONTRAST =
  /,? (?:and )?not (?:a |an |the |on |in |at |by |from |for |to |with |my |our )*[\p{L}\d][\p{L}\d:.'%€$-]*(?: [\p{L}\d:.'-]+){0,2}[.!]*$/u;

export const CORRECTION_FORMS: readonly Form[] = [
  { kind: 'correction', pattern: CONTRAST, opener: DENIAL },
  { kind: 'correction', pattern: /./u, opener: /^correction\b/u },
  {
    kind: 'correction',
    pattern:
      /^(?:that's|that is|this is|you're|it's|you have that|that was) (?:wrong|not (?:right|correct|true|quite right|what i (?:said|meant))|incorrect|outdated|mistaken|a (?:mistake|typo|mix-?up))\b.*[,:;.–-] ?(?:the|it|my|our|she|he|they|we|i|there|\d|\p{L}+ (?:is|are|was|has|lives|works|starts))\b/u,
  },
  {
    kind: 'correction',
    pattern:
      /^(?:you|i)(?:'ve| have)? (?:mixed|confused|swapped|got (?:that|them|it|those|this) (?:wrong|mixed|backwards)|misread|misunderstood|misspoke)\b.*[,:;.–-] ?\p{L}/u,
  },
  { kind: 'correction', pattern: /\b(?:is|it's|its|name is) (?:spelled|spelt|written|pronounced)\b.*\bnot\b/u },
  {
    kind: 'correction',
    pattern:
      /^i (?:said|wrote|told you) .{3,80}\b(?:but|that's|that was) (?:not right|wrong|not true|a mistake|it's|it is|actually|she|he|the)\b/u,
  },
  {
    kind: 'correction',
    pattern:
      /^(?:i (?:told you wrong|was wrong|got (?:that|it) wrong|made a mistake)|my mistake)\b.{0,30}[:,;.–-] ?\p{L}/u,
  },
  { kind: 'correction', pattern: /^i (?:meant|mean) .{3,60}, not\b/u },
  { kind: 'correction', pattern: /\bshould be .{2,40}, not\b/u },
];
