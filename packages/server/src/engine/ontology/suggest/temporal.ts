/** Tells from a sentence whether what it states holds at a time. */

const TIMES =
  /\b(?:since|until|till|over time|over the years|histor(?:y|ies|ical)|changes? over|currently|formerly|previously|past and present|as of|start(?:ing)? (?:date|year)|end(?:ing)? (?:date|year)|valid (?:from|until)|effective (?:from|date)|date range|(?:time )?period|from when|at what time|when (?:an?|the|each|they|it|someone|somebody)|during which|for how long|how long|(?:from|between) (?:an?|one|the|some)? ?(?:start |first |given )?(?:date|year|time|day|month|\d{4})\b)/i;
const STARTS = /\b(?:since|start|from|effective|histor|period|range|when)\b/i;
const ENDS =
  /\b(?:until|till|end|to an?(?: end)? (?:date|year)|histor|period|range|how long)|\bfrom\b.{1,40}\b(?:to|until)\b/i;

export function isTemporal(sentence: string): boolean {
  return TIMES.test(sentence);
}

/** Names of the bounds that the sentence speaks of. */
export function temporalProperties(sentence: string): readonly string[] {
  if (!isTemporal(sentence)) return [];
  return [...(STARTS.test(sentence) ? ["start_date"] : []), ...(ENDS.test(sentence) ? ["end_date"] : [])];
}
