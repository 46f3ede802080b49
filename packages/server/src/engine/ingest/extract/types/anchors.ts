/** Broad classes of entities, and the nouns by which a type's name tells its class. */

/** Classes that any ontology's types are told apart by first; in the order of the weights. */
export const ANCHORS = [
  "person",
  "organization",
  "location",
  "date",
  "event",
  "work",
  "product",
  "group",
  "quantity",
  "term",
  "award",
  "substance",
  "method",
] as const;

export type Anchor = (typeof ANCHORS)[number];

const nouns: Readonly<Record<Anchor, string>> = {
  person:
    "person people human individual man woman actor actress artist author writer poet novelist scientist " +
    "researcher politician musician singer composer player athlete footballer character director producer " +
    "engineer doctor physician patient lawyer judge officer soldier king queen monarch ruler president " +
    "minister employee customer user founder owner manager leader inventor explorer philosopher " +
    "journalist teacher professor student painter architect saint deity god celebrity contributor speaker " +
    "expert member relative parent child",
  organization:
    "organization organisation company corporation business firm institution institute agency university " +
    "college school academy party band orchestra ensemble team club league association society union " +
    "committee council government ministry department bank army navy regiment unit label studio publisher " +
    "network channel airline brand manufacturer museum hospital church charity foundation startup vendor " +
    "supplier laboratory court newspaper group employer",
  location:
    "location place country city town village state province region district county continent island " +
    "river lake sea ocean mountain building airport station road street park stadium venue facility " +
    "settlement territory area address landmark bridge planet star galaxy constellation habitat site " +
    "nation municipality valley desert port castle",
  date: "date year time day month period era century decade duration deadline timestamp season age moment",
  event:
    "event war battle conference tournament competition championship festival election ceremony meeting " +
    "match game race accident incident disaster attack protest mission expedition concert tour exhibition " +
    "revolution summit workshop season holiday launch outbreak treaty",
  work:
    "work book novel film movie song album poem play painting sculpture series show episode article paper " +
    "publication magazine journal story comic opera composition document report game videogame artwork " +
    "soundtrack single text manuscript anthem",
  product:
    "product software application app system device machine vehicle car aircraft ship weapon engine " +
    "computer tool platform framework library language database protocol website service instrument drink " +
    "food clothing model robot phone camera rocket component hardware programming",
  group:
    "nationality ethnicity tribe demonym religion community people denomination group population caste " +
    "clan ethnic",
  quantity:
    "quantity number amount measure measurement price cost money salary weight height length distance " +
    "speed temperature percentage population area revenue value score rating budget count rate volume " +
    "size currency",
  term:
    "term concept topic subject field discipline genre style theory idea theme category skill occupation " +
    "profession position title role language sport ideology movement law principle technology industry " +
    "sector domain philosophy doctrine keyword phenomenon tradition instrument condition attribute " +
    "feature trait",
  award: "award prize medal honor honour trophy decoration title distinction grant",
  substance:
    "substance chemical compound element protein enzyme gene drug molecule mineral material cell tissue " +
    "organ disease symptom species animal plant organism bacterium virus hormone medicine ingredient " +
    "metal acid gas anatomy taxon bird fish crop disorder syndrome",
  method:
    "method algorithm technique task metric procedure process approach model architecture measure test " +
    "analysis operation function strategy treatment",
};

/** The nouns of each class, general English. */
export const ANCHOR_NOUNS: ReadonlyMap<Anchor, readonly string[]> = new Map(
  ANCHORS.map((anchor) => [anchor, nouns[anchor].split(" ")]),
);

/** Classes that read alike, and how much of a class's share goes to each: a class that few texts were labelled for learns from its kin. */
export const KIN: readonly (readonly [from: Anchor, to: Anchor, share: number])[] = [
  ["method", "term", 0.5],
  ["substance", "term", 0.3],
  ["quantity", "term", 0.3],
  ["product", "work", 0.2],
];
