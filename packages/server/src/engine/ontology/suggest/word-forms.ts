/** English inflection as far as names of types need it. */

/** "people:person" */
function pairs(...lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(lines.flatMap((line) => line.split(" ").map((pair) => pair.split(":") as [string, string])));
}

const IRREGULAR_SINGULARS = pairs(
  "people:person children:child men:man women:woman criteria:criterion phenomena:phenomenon",
  "analyses:analysis diagnoses:diagnosis hypotheses:hypothesis theses:thesis syntheses:synthesis",
  "crises:crisis indices:index matrices:matrix vertices:vertex appendices:appendix feet:foot",
  "mice:mouse lives:life wives:wife knives:knife shelves:shelf leaves:leaf wolves:wolf loaves:loaf",
  "halves:half calves:calf thieves:thief bacteria:bacterium fungi:fungus alumni:alumnus",
  "curricula:curriculum strata:stratum genera:genus taxa:taxon caches:cache movies:movie",
  "cookies:cookie ties:tie buses:bus viruses:virus gases:gas lenses:lens aliases:alias",
  "statuses:status campuses:campus axes:axis heroes:hero potatoes:potato tomatoes:tomato",
  "bonuses:bonus cargoes:cargo vetoes:veto quizzes:quiz",
);

const SAME_IN_BOTH: ReadonlySet<string> = new Set(
  "series species news aircraft spacecraft fish sheep deer headquarters means lens gas bus physics mathematics economics politics genetics logistics analytics ethics chassis corps premises crossroads".split(
    " ",
  ),
);

export function isInvariable(noun: string): boolean {
  return SAME_IN_BOTH.has(noun);
}

/** The singular of a noun in small letters; a word that is none already, or that looks so, stays. */
export function singular(noun: string): string {
  const irregular = IRREGULAR_SINGULARS.get(noun);
  if (irregular !== undefined) return irregular;
  if (/[^ciogy]men$|[^u]women$/.test(noun) && noun.length > 5) return noun.replace(/men$/, "man");
  if (SAME_IN_BOTH.has(noun) || noun.length < 4 || !noun.endsWith("s")) return noun;
  if (/(?:ss|us|is|'s)$/.test(noun)) return noun;
  if (/[^aeiou]ies$/.test(noun)) return `${noun.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz|[^aeiousth]o)es$/.test(noun)) return noun.slice(0, -2);
  return noun.slice(0, -1);
}

/** Whether a noun in small letters has the form of a plural. */
export function isPlural(noun: string): boolean {
  return singular(noun) !== noun;
}

/** The third person of a verb's lemma: "write" → "writes", "carry out" → "carries out". */
export function thirdPerson(lemma: string): string {
  const [verb = "", ...rest] = lemma.split(" ");
  return [conjugate(verb), ...rest].join(" ");
}

function conjugate(verb: string): string {
  if (verb === "have") return "has";
  if (verb === "be") return "is";
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  if (/(?:s|sh|ch|x|z|o)$/.test(verb)) return `${verb}es`;
  return `${verb}s`;
}

const IRREGULAR_PARTICIPLES = pairs(
  "write:written fly:flown know:known wear:worn feed:fed eat:eaten lay:laid say:said think:thought",
  "leave:left lose:lost meet:met fight:fought give:given take:taken buy:bought sell:sold send:sent",
  "make:made hold:held keep:kept lead:led teach:taught bring:brought find:found grow:grown",
  "drive:driven build:built draw:drawn see:seen show:shown choose:chosen lend:lent pay:paid put:put",
  "set:set cut:cut run:run win:won tell:told catch:caught sing:sung speak:spoken rent:rented",
  "order:ordered treat:treated",
);

/** The participle of a verb: `surface` is how it stands in the text. */
export function participleOf(lemma: string, surface: string): string {
  const irregular = IRREGULAR_PARTICIPLES.get(lemma);
  if (irregular !== undefined) return irregular;
  if (/(?:ed|en)$/.test(surface)) return surface;
  if (lemma.endsWith("e")) return `${lemma}d`;
  if (/[^aeiou]y$/.test(lemma)) return `${lemma.slice(0, -1)}ied`;
  const doubles =
    /^[^aeiou]*[aeiou][bdgmnprt]$/.test(lemma) || /(?:mit|fer|cur|bel|pel|rol|cel)$/.test(lemma);
  return doubles ? `${lemma}${lemma.slice(-1)}ed` : `${lemma}ed`;
}
