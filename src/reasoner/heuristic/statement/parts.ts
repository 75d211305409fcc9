/** Why, as far as the sentence says so. */
export function rationaleOf(text: string): string | undefined {
  const match =
    /\b(?:because(?: of)?|since|bc|the reason (?:is|being)|reason is|so that|otherwise|as it|that's why)\s+(.{4,200})$/iu.exec(
      text,
    );
  return match?.[1]?.replace(/[\s.!;,]+$/u, '');
}

/** When a procedure applies: what stands before its first step. */
export function triggerOf(text: string): string | undefined {
  const leading = /^(?:when(?:ever)?|if|before|after|once|to|for|every time) ([^,:]{3,80})[,:]/iu.exec(text)?.[1];
  return leading ?? /^([\p{L}][^:,]{2,60}):\s/u.exec(text)?.[1];
}

/** Steps in order: numbered, or joined by "then" and commas. Fewer than two are none. */
export function stepsOf(text: string): string[] | undefined {
  const body = text.replace(/^[^:]{2,60}:\s+/u, '');
  const numbered = [...body.matchAll(/(?:^|[\s,;])\d{1,2}[.)]\s*([^\n]+?)(?=[\s,;]+\d{1,2}[.)]\s|$)/gu)].map(
    ([, step]) => step ?? '',
  );
  const steps =
    numbered.length >= 2
      ? numbered
      : body.split(/,?\s*(?:\band then\b|\bonly then\b|\bthen\b|\bafter that\b|→|->)\s*|,\s+|;\s+/iu);
  const clean = steps
    .map((step) => step.replaceAll(/^[\s,;]*(?:first|and|finally)?\s*|[\s.,;!]+$/giu, ''))
    .filter((step) => step !== '');
  return clean.length >= 2 ? clean : undefined;
}
