/**
 * The documents and questions of the data that a release leaves behind. Everything in them is invented. Imports
 * nothing of the service, so that the checkout of an older release can run it.
 */

export interface SceneDocument {
  readonly source_doc_id: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, string | number>>;
}

export interface SceneProject {
  readonly name: string;
  /** `graph`: without an ontology. */
  readonly kind: "vectors" | "graph" | "ontology";
  readonly documents: readonly SceneDocument[];
  /** Ingested after `documents`: a new text for a document that exists. */
  readonly replacements: readonly SceneDocument[];
  readonly deleted: readonly string[];
  readonly questions: readonly object[];
}

const included = { include: ["provenance"] };

const WEATHER = ["fog", "sleet", "clear sky", "gusts", "thunder", "drizzle", "frost"];
const CARGO = ["hay", "milk cans", "roof tiles", "sacks of flour", "a harmonium", "fence posts"];

/** Long enough for several chunks. */
const LOGBOOK = Array.from({ length: 60 }, (_, at) => {
  const weather = WEATHER[at % WEATHER.length];
  const cargo = CARGO[at % CARGO.length];
  return `Entry ${at + 1}: Marmot carried ${3 + (at % 17)} passengers and ${cargo} to the meadow in ${weather}.`;
}).join("\n");

const FUNICULAR: SceneProject = {
  name: "Skarnhild funicular",
  kind: "vectors",
  documents: [
    {
      source_doc_id: "line",
      metadata: { year: 1911, kind: "history" },
      text: `The Skarnhild funicular

The funicular between Skarnhild and the upper meadow opened on 9 June 1911. Its track is 1,240 metres long and climbs
386 metres. Two cars, called Marmot and Chough, balance each other on one cable.

The winding house

The winding house stands at the upper station. Its first engine burned coal; an electric motor replaced it in 1934.
The brake of each car, part number SK-7714, grips both rails when the cable loses tension.

The meadow station

The meadow station has a waiting room with a tiled stove. Its clock is set by hand every morning at seven.`,
    },
    {
      source_doc_id: "timetable",
      metadata: { year: 1987, kind: "timetable" },
      text: "In winter a car leaves Skarnhild at nine, at noon and at four. In summer a car leaves every half hour until dusk.",
    },
    {
      source_doc_id: "fares",
      metadata: { year: 1987, kind: "notice" },
      text: "A single ride costs two crowns. Children below six ride free, and a crate of cheese counts as one passenger.",
    },
    {
      source_doc_id: "storm",
      metadata: { year: 1952, kind: "history" },
      text: "The storm of February 1952 tore the roof off the winding house. The line was closed for eleven weeks.",
    },
    { source_doc_id: "logbook", metadata: { year: 1931, kind: "logbook" }, text: LOGBOOK },
    {
      source_doc_id: "draft",
      text: "Draft: the upper station might get a telescope. This note is withdrawn.",
    },
  ],
  replacements: [
    {
      source_doc_id: "timetable",
      metadata: { year: 2003, kind: "timetable" },
      text: "Since 2003 a car leaves Skarnhild every twenty minutes in every season, from eight in the morning until ten at night.",
    },
  ],
  deleted: ["draft"],
  questions: [
    { query: "When did the funicular open?", top_k: 10, ...included },
    { query: "SK-7714", top_k: 3, ...included },
    { query: "On which trip did a harmonium travel in thunder?", top_k: 10, ...included },
    {
      query: "How often does a car leave?",
      top_k: 5,
      ...included,
      filter: { metadata: { kind: ["timetable", "notice"] } },
    },
  ],
};

const INSTRUMENTS: SceneProject = {
  name: "Instrument makers",
  kind: "graph",
  documents: [
    {
      source_doc_id: "workshop",
      text: "Pellamy Organ Works\n\nPellamy Organ Works is an organ workshop that was founded by Isaura Venn in 1888. Pellamy Organ Works is based in Drumlow.",
    },
    {
      source_doc_id: "founder",
      text: "Isaura Venn\n\nIsaura Venn was born in Tarrowby. She wrote a book about bellows and taught at the school of Drumlow.",
    },
    {
      source_doc_id: "pupil",
      text: "Corvin Asketh\n\nCorvin Asketh worked for Pellamy Organ Works until 1921. Corvin Asketh founded Asketh Reeds Ltd in Tarrowby.",
    },
    {
      source_doc_id: "rumour",
      text: "Corvin Asketh was married to Odalie Frome. Odalie Frome tuned the organ of Tarrowby for thirty years.",
    },
  ],
  replacements: [],
  deleted: ["rumour"],
  questions: [
    { query: "Where was the founder of Pellamy Organ Works born?", top_k: 10, ...included },
    { query: "Who founded Asketh Reeds Ltd?", top_k: 10, ...included },
  ],
};

const GLASS: SceneProject = {
  name: "Glass trade",
  kind: "ontology",
  documents: [
    {
      source_doc_id: "federation",
      text: "Velder Federation\n\nThe Velder Federation consists of Nimrook Glass Ltd, Sallow Mirrors Ltd and Hexby Lenses Ltd.",
    },
    {
      source_doc_id: "nimrook",
      text: "Nimrook Glass Ltd was founded by Petra Quillon. It makes windows for greenhouses.",
    },
    {
      source_doc_id: "sallow",
      text: "Sallow Mirrors Ltd was founded by Anselm Roake. It silvers mirrors for theatres.",
    },
    { source_doc_id: "hexby", text: "Hexby Lenses Ltd was founded by Anselm Roake. It grinds lenses." },
  ],
  replacements: [
    {
      source_doc_id: "hexby",
      text: "Hexby Lenses Ltd was founded by Ludmila Tesk. It grinds lenses for lighthouses.",
    },
  ],
  deleted: [],
  questions: [
    { query: "Who founded the members of the Velder Federation?", top_k: 10, ...included },
    { query: "Who founded Hexby Lenses Ltd?", top_k: 10, ...included },
  ],
};

export const SCENE: readonly SceneProject[] = [FUNICULAR, INSTRUMENTS, GLASS];

export const ONTOLOGY = {
  ontology: {
    hierarchy: [
      {
        level: 0,
        node_types: {
          Company: { description: "A business or a workshop" },
          Person: { description: "A human being" },
        },
      },
      {
        level: 1,
        node_types: {
          Federation: {
            description: "A federation of companies",
            aggregates: ["Company"],
            examples: ["Velder Federation"],
          },
        },
      },
    ],
    edge_types: [
      { name: "FOUNDED_BY", source_types: ["Company"], target_types: ["Person"] },
      { name: "MEMBER_OF", source_types: ["Company"], target_types: ["Federation"] },
    ],
  },
};

/** What one database of the release holds, and what the release answered from it. */
export interface Recorded {
  readonly ownerKey: string;
  /** A key of a second account. */
  readonly strangerKey: string;
  readonly webhookId: string;
  readonly projects: readonly RecordedProject[];
}

export interface RecordedProject {
  readonly projectId: string;
  readonly name: string;
  /** Ids, ascending. */
  readonly documents: readonly string[];
  readonly answers: readonly { readonly question: object; readonly answer: RecordedAnswer }[];
}

/** The body of `POST /projects/{project_id}/query`. */
export interface RecordedAnswer {
  readonly query: string;
  readonly results: {
    readonly summary: string;
    readonly entities: readonly object[];
    readonly relationships: readonly object[];
    readonly chunks: readonly { readonly chunk_id: string; readonly similarity: number }[];
  };
}
