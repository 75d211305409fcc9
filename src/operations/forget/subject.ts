/**
 * Words before the subject in a request to forget: "everything I told you about …". These
 * words would be looked for otherwise, and "told" stands in many memories.
 */
const LEAD_INS = [
  /^(?:please )?(?:forget )?about /iu,
  /^(?:please )?(?:forget |erase |delete |remove )?(?:about )?(?:everything|anything|all|whatever|what|that|the fact that)?(?: (?:that|which))?(?: (?:i|we|you|he|she|they))?(?: (?:have|has|had|ever|just|once))*(?: (?:told|said|tell|say|know|knew|remember|mentioned|wrote|learned|stored|saved)(?: (?:to )?(?:you|me|us))?)?(?: (?:about|of|on|regarding|concerning))? /iu,
  /^(?:bitte )?(?:vergiss |lösche )?(?:alles|das|was)?,?(?: was)?(?: (?:ich|wir|du))?(?: (?:dir|mir|uns))?(?: (?:über|von|zu|dass))? /iu,
  /^(?:por favor )?(?:olvida |borra )?(?:todo|lo)?(?: (?:lo )?que)?(?: (?:te|os|me))?(?: (?:dije|dijimos|conté|sabes))?(?: (?:sobre|de|acerca de))? /iu,
  /^(?:s'il te plaît )?(?:oublie |efface )?(?:tout|ce)?(?: (?:ce )?que)?(?: (?:je|tu|on|nous))?(?: (?:t'ai|vous ai|t'avais))?(?: (?:dit|raconté|sais))?(?: (?:sur|de|à propos de|au sujet de))? /iu,
];

/** The thing itself. Quotation marks around all of it go: they only say where it ends. */
export function subjectOf(text: string): string {
  const plain = text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const unquoted = /^["“„«»‘']([^"“”„«»]+)["”“«»’']$/u.exec(plain)?.[1]?.trim() ?? plain;
  const leadIns = LEAD_INS.map((pattern) => pattern.exec(unquoted)?.[0] ?? '').filter(isLeadIn);
  const longest = Math.max(0, ...leadIns.map((leadIn) => leadIn.length));
  const rest = unquoted.slice(longest).trim();
  return rest === '' ? unquoted : rest;
}

/** One word alone is none, unless it can be nothing else: "todo list" is about a list of that name. */
function isLeadIn(text: string): boolean {
  return (
    text.trim().includes(' ') ||
    /^(?:about|that|everything|anything|forget|über|dass|vergiss|olvida|oublie) $/iu.test(text)
  );
}
