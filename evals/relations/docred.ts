/**
 * Reads Re-DocRED (Q. Tan and others, EMNLP 2022; MIT) as sentences under small ontologies, one for each subject that its relations
 * are about: more kinds of relations to learn from than a benchmark's few ontologies have.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dateForm, edgeNameOf, type RawOntology, type TekgenRow, type Triple } from "./tekgen.ts";

/** Property of Wikidata, name, kind of its subject, kind of its object ("" or "date" for a date). */
const subjects: Readonly<Record<string, string>> = {
  biography: `
P19 place of birth, human, city | P569 date of birth, human, | P20 place of death, human, city | P570 date of death, human,
P27 country of citizenship, human, country | P26 spouse, human, human | P40 child, human, human | P22 father, human, human
P25 mother, human, human | P3373 sibling, human, human | P69 educated at, human, university | P140 religion, human, religion
P551 residence, human, city | P1412 languages spoken, human, language | P172 ethnic group, human, ethnic group`,
  career: `
P108 employer, human, organization | P39 position held, human, position | P102 member of political party, human, political party
P166 award received, human, award | P241 military branch, human, military branch | P607 conflict, human, war
P463 member of, human, organization | P800 notable work, human, work | P937 work location, human, city
P54 member of sports team, human, sports team | P737 influenced by, human, human | P27 country of citizenship, human, country`,
  places: `
P131 located in the administrative territorial entity, place, region | P17 country, place, country | P36 capital, country, city
P150 contains administrative territorial entity, region, region | P1376 capital of, city, region | P403 mouth of the watercourse, river, river
P206 located in or next to body of water, place, body of water | P706 located on terrain feature, place, mountain range
P30 continent, country, continent | P37 official language, country, language | P205 basin country, lake, country
P6 head of government, region, human | P35 head of state, country, human | P194 legislative body, country, parliament`,
  companies: `
P112 founded by, company, human | P571 inception, company, date | P576 dissolved, company, date | P159 headquarters location, company, city
P749 parent organization, company, company | P355 subsidiary, company, company | P127 owned by, company, owner
P488 chairperson, organization, human | P1056 product, company, product | P740 location of formation, organization, city
P17 country, organization, country | P137 operator, facility, company | P1366 replaced by, organization, organization`,
  screen: `
P57 director, film, human | P161 cast member, film, actor | P58 screenwriter, film, human | P162 producer, film, human
P272 production company, film, company | P449 original network, television series, television network
P577 publication date, film, | P495 country of origin, film, country | P674 characters, film, fictional character
P1441 present in work, fictional character, work | P136 genre, film, genre | P364 original language, film, language
P179 part of the series, episode, series`,
  songs: `
P175 performer, song, musician | P264 record label, album, record label | P86 composer, song, composer | P676 lyrics by, song, human
P577 publication date, song, | P361 part of, song, album | P136 genre, band, music genre | P155 follows, album, album
P156 followed by, album, album | P162 producer, album, human | P527 has member, band, musician | P166 award received, band, award`,
  writings: `
P50 author, book, writer | P123 publisher, book, publisher | P577 publication date, book, | P674 characters, novel, fictional character
P170 creator, fictional character, human | P179 part of the series, book, series | P178 developer, video game, company
P400 platform, video game, computing platform | P176 manufacturer, device, company | P155 follows, book, book`,
  contests: `
P54 member of sports team, athlete, sports team | P118 league, sports team, league | P1344 participant of, athlete, competition
P710 participant, competition, athlete | P276 location, competition, city | P585 point in time, competition,
P17 country, sports team, country | P527 has part, league, sports team`,
  events: `
P607 conflict, military unit, war | P710 participant, battle, country | P276 location, event, place | P580 start time, war,
P582 end time, war, | P585 point in time, battle, | P361 part of, battle, war | P1001 applies to jurisdiction, law, country
P17 country, event, country`,
};

const MAX_ROWS = 400;
const MAX_TOKENS = 60;

interface RawMention {
  readonly sent_id: number;
  readonly pos: readonly [number, number];
}

interface RawDocument {
  readonly title: string;
  readonly sents: readonly (readonly string[])[];
  readonly vertexSet: readonly (readonly RawMention[])[];
  readonly labels?: readonly {
    readonly r: string;
    readonly h: number;
    readonly t: number;
    readonly evidence?: readonly number[];
  }[];
}

interface Relation {
  readonly property: string;
  readonly label: string;
  readonly domain: string;
  readonly range: string;
}

/** Ontologies by name, in the benchmark's form, with their sentences; the names of `without` are left out of them. */
export function readDocred(
  files: readonly string[],
  without: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, { readonly ontology: RawOntology; readonly rows: readonly TekgenRow[] }> {
  const documents = files.flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as readonly RawDocument[]);
  return new Map(
    Object.entries(subjects).map(([name, table]) => {
      const relations = readTable(table).filter(({ label }) => !without.has(edgeNameOf(label)));
      return [
        name,
        { ontology: toOntology(relations), rows: toRows(documents, { name, relations }) },
      ] as const;
    }),
  );
}

function readTable(table: string): readonly Relation[] {
  return table
    .trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [first = "", domain = "", range = ""] = entry.split(",").map((part) => part.trim());
      const [property = "", ...words] = first.split(" ");
      return { property, label: words.join(" "), domain, range };
    });
}

function toOntology(relations: readonly Relation[]): RawOntology {
  const kinds = [...new Set(relations.flatMap(({ domain, range }) => [domain, range]))].filter(Boolean);
  return { concepts: kinds.map((label) => ({ qid: label, label })), relations };
}

interface Wanted {
  readonly name: string;
  readonly relations: readonly Relation[];
}

/** Sentences that state something, in an order that depends on their text alone. */
function toRows(documents: readonly RawDocument[], { name, relations }: Wanted): readonly TekgenRow[] {
  const relationOf = new Map(relations.map((relation) => [relation.property, relation]));
  const rows = documents.flatMap((document) =>
    document.sents.flatMap((tokens, sentence) => {
      if (tokens.length > MAX_TOKENS) return [];
      const { text, startOf, endOf } = join(tokens);
      const nameIn = (entity: number) => {
        const mention = document.vertexSet[entity]?.find(({ sent_id }) => sent_id === sentence);
        return mention === undefined ? null : text.slice(startOf(mention.pos[0]), endOf(mention.pos[1] - 1));
      };
      const triples = (document.labels ?? []).flatMap(({ r, h, t, evidence = [] }): readonly Triple[] => {
        const relation = relationOf.get(r);
        const [sub, obj] = [nameIn(h), nameIn(t)];
        const isElsewhere = evidence.length > 0 && !evidence.includes(sentence);
        if (relation === undefined || sub === null || obj === null || isElsewhere) return [];
        const isDate = relation.range === "" || relation.range === "date";
        return [{ sub, rel: relation.label, obj: isDate ? (dateForm(obj) ?? obj) : obj }];
      });
      const id = createHash("sha256").update(`${name} ${text}`).digest("hex");
      return triples.length === 0 ? [] : [{ id, ontology: name, text, triples }];
    }),
  );
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MAX_ROWS);
}

/** The data has its tokens apart; punctuation goes back to its word. */
function join(tokens: readonly string[]) {
  let text = "";
  const starts: number[] = [];
  let glue = true;
  for (const token of tokens) {
    const clings = /^(?:[.,;:!?)\]%]|['’]s?|n't|['’](?:re|ve|ll|d|m))$/.test(token);
    if (!glue && !clings) text += " ";
    starts.push(text.length);
    text += token;
    glue = /^[([$£€]$/.test(token);
  }
  const startOf = (at: number) => starts[at] ?? text.length;
  return { text, startOf, endOf: (at: number) => startOf(at) + (tokens[at]?.length ?? 0) };
}
