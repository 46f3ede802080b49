/** Tells adjectives of nationality, and names of peoples and languages, by their form. */

const irregular = new Set(
  (
    "french greek dutch welsh scots swiss czech thai iraqi israeli pakistani saudi kuwaiti omani yemeni qatari bengali nepali " +
    "somali afghan uzbek kazakh turkmen tajik slovak croat serb kurd kurdish arab arabic latin hindi urdu tamil telugu " +
    "punjabi gujarati marathi malayalam kannada yiddish basque zulu maori quechua inuit filipino celtic slavic nordic icelandic gaelic " +
    "korean african mexican moroccan texan roman cuban venezuelan paraguayan kenyan libyan tibetan angolan ugandan chilean jamaican dominican " +
    "alaskan balkan saxon norman trojan lutheran samoan rwandan nigerian kosovan costa-rican american guatemalan nicaraguan honduran " +
    "salvadoran ecuadorian uruguayan panamanian tuscan etruscan cypriot bhutanese tongan afrikan elizabethan mohican republican " +
    "germanic semitic hispanic baltic sanskrit catalan hebrew swahili esperanto cherokee navajo american british mexican german"
  ).split(" "),
);
const endings = /(?:[^aeiou]ish|nese|lese|tese|guese|[bcdghklmnprstvz](?:ian)|[aeo]an|[lrk]an|ican)$/;
const otherwise = new Set(
  "english parish finish publish republican christian guardian librarian musician politician physician historian comedian canadian ocean clean mean jean sean bean dean alan ryan brian julian adrian vivian lillian european".split(
    " ",
  ),
);
const stillDemonyms = new Set(["english", "canadian", "european"]);

/** Endings that few names of places and people have. */
const sureEndings = /(?:[^aeiou]ish|nese|lese|tese|guese|ians?)$/;

/** Whether only the ending speaks for it, as in "Halloran" and "Tehran": then what stands beside it has to, too. */
export function isUnsureDemonym(word: string): boolean {
  const lower = word.toLowerCase();
  const singular = lower.endsWith("s") && !lower.endsWith("ss") ? lower.slice(0, -1) : lower;
  const isKnown = irregular.has(lower) || irregular.has(singular) || stillDemonyms.has(singular);
  return !isKnown && !sureEndings.test(lower);
}

/** Whether a capitalised word reads like a nationality, people or language: "Norwegian", "Thai". A guess by its ending. */
export function isDemonym(word: string): boolean {
  if (!/^\p{Lu}\p{L}{2,}$/u.test(word)) return false;
  const lower = word.toLowerCase();
  const singular = lower.endsWith("s") && !lower.endsWith("ss") ? lower.slice(0, -1) : lower;
  if (irregular.has(lower) || irregular.has(singular) || stillDemonyms.has(singular)) return true;
  return singular.length > 4 && !otherwise.has(singular) && endings.test(singular);
}
