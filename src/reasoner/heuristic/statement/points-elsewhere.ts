/** Begins with, or acts on, something that was named elsewhere. */
const OPEN_SUBJECT =
  /^(?:(?:if|when|once|unless) (?:he|she)|it|that|this|they|those|these|he|she|the (?:one|other|rest|other one|first one|second one))\b(?! (?:is why|means|way|is how))/u;
const OPEN_OBJECT =
  /\b(?:drop|do|did|tried|use|take|keep|ship|pause|restart|leave|make|put|write|kill|merge|fix|move|run|try|send|skip|buy|book|cancel|tell|ask|remind) (?:it|that|this|them|him|her)\b(?! \p{L})|\bput (?:me |us )?(?:it|that|this) on\b/u;
/** An order about, or a plan for, something that stands in another sentence. */
const POINTS_ELSEWHERE =
  /^(?:(?:please|pls|and|then|just|now|also) )*(?:write|send|ask|tell|ship|put|take|drop|make|give|show|trigger|apply|merge|fix|run|try|skip|buy|book|cancel|move|print|post|pull|push|answer) (?:me |us )?(?:it|that|this|them|him|her)\b|^(?:i|we)(?:'ll| will|'ve| have|'re going to|'m going to| need to| have to| must)? (?!think|know|like|love|hate|mean|said)\p{L}+ (?:it|them|that one|those|him|her)\b/u;

/** Leaves out who or what stays or is to be restarted, or before which day. */
const INCOMPLETE =
  /^(?:please )?(?:restart|rerun|announce|wait|ship|deploy|merge|push|publish|release|continue) (?:on|in|at|until|till|with|from|by|before|after)\b|^(?:stays?|moves?|goes|gets|remains|keeps|always at)\b|^\p{L}+ stays? at \d+[.!]*$|\ban? (?:[\p{L}\d]+ ){1,3}one(?=[,.!]| (?:in|on|at|from)\b|$)|\bthe (?:day|week|night|evening|month) (?:before|after)[.!]*$|\b(?:by|until|since) then\b|\bwith (?:and|or) without[.!]*$|^(?:take back|forget|ignore|scrap) what\b/u;

/** Whether a statement cannot be understood without the one before it. */
export function pointsElsewhere(plain: string): boolean {
  return OPEN_SUBJECT.test(plain) || OPEN_OBJECT.test(plain) || POINTS_ELSEWHERE.test(plain) || INCOMPLETE.test(plain);
}
