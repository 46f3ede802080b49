/** Words that speak of the request, of models and of text as such, and not of what a graph would be about. */

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}

/** Never a type unless a list names it as one. */
export const FRAMING_NOUNS = words(
  "data information knowledge base graph kb ontology schema",
  "entity relationship relation node edge attribute concept instance value triple vertex",
  "insight detail thing kind sort way purpose aim use usecase scenario context scope",
  "example input output query prompt chatbot assistant ai llm",
  "view overview variety range number amount bit plenty fact",
  "corpus everything anything something everyone anyone someone nothing",
  "hierarchy taxonomy level",
  "domain name world time reason",
  "support search analysis understanding exploration retrieval tracking management",
  "it they we i you he she one who what which that this these those there them us me him her each other another",
  "following rest remainder morning evening night spring summer autumn winter weekend holiday",
  "today now day week month year decade century hour minute moment period date history past future present",
  "here end start begin beginning addition particular general same trend possibility ability",
  "basis help idea hand sense whole half",
  "interest respect regard focus emphasis attention ",
  "internal external lookup",
);

/** Framing only beside words of framing: documents are a subject of some graphs and the source of others. */
export const SOFT_FRAMING_NOUNS = words(
  "object picture lot paragraph sentence chunk dashboard wiki encyclopedia user project document article report text team business analyst",
  "note email transcript record entry item content source group category service",
  "material",
  "field case order dataset database application software process page file folder repository statement word",
  "term agent bot app tool platform area pattern system model dependency question answer request sample set",
  "list line side archive notebook class type property connection link association interaction structure layer effect impact work evidence passage part piece solution",
  "change goal objective requirement place point challenge opportunity difficulty priority aspect element industry response result need access",
);

/** What whoever asks wants to do; their objects are types, and who wants it is not. */
export const FRAMING_VERBS = words(
  "want need wish like love plan hope try aim intend help allow enable let make build create design develop set",
  "track store capture model represent record save keep maintain manage organize organise collect gather extract",
  "identify find search query ask answer know understand learn explore analyze analyse see show display get give",
  "cover describe mention discuss contain include involve concern focus use go look figure map connect link",
  "relate associate structure index ingest process read parse turn convert provide support have be do say tell list",
  "catalog catalogue document monitor think consider deal come start begin interest trace visualize visualise",
  "compare navigate discover retrieve summarize summarise explain reason name note imagine suppose",
);

/** Framing verbs that, with an end on either side, name what lies between: "connect researchers with grants". */
export const LINKING_VERBS = words("connect link relate associate map assign attach match pair tie");

/** Who stands outside of the graph as the subject of a verb of framing. */
export const FRAMING_SUBJECTS = words(
  "we i you us it they user team system application app tool platform database graph base company organization",
  "organisation project ontology model schema data dataset text document analyst business input",
  "output question query knowledge information service goal assistant chatbot entity relationship there this that",
  "corpus source content following everyone somebody who people file page",
);

/** Heads that gather what "of …" names: "families of products". */
export const GATHERING_NOUNS = words(
  "category group cluster family class segment collection community theme topic genre bundle cohort tier",
  "division portfolio series taxonomy department region sector branch kind",
);

export const GATHERING_VERBS = words(
  "group cluster categorize categorise classify aggregate bundle roll summarize summarise gather sort arrange",
  "organize organise segment subdivide divide sum",
);
