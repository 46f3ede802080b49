/** An English verb in the past tense, in small letters: regular ones by their ending, and the irregular ones that texts have most. */
export const PAST_TENSE =
  /^(?:\p{L}{2,30}ed|led|ran|left|held|became|sold|bought|met|went|wrote|made|built|kept|began|took|gave|won|said|told|knew|grew|chose|rose|spent|taught|thought|found|brought|sent|lost|paid|stood|got|came|saw|quit)$/u;
