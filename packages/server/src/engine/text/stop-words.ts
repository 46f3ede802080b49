/**
 * English function words, which carry no topic: articles, pronouns, auxiliaries, prepositions, question
 * words. "may", "us" and "might" are not included, because as names and nouns they do carry one.
 */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  [
    "a about above after again against all also am an and any are as at be because been before being below",
    "between both but by can cannot could did do does doing down during each eg etc few for from further had has",
    "have having he her here hers herself him himself his how i ie if in into is it its itself just me more most",
    "my myself no nor not now of off on once only or other our ours ourselves out over own same shall she should",
    "so some such than that the their theirs them themselves then there these they this those through to too",
    "under until up upon very was we were what when where whether which while who whom whose why will with would",
    "you your yours yourself yourselves",
  ]
    .join(" ")
    .split(" "),
);
