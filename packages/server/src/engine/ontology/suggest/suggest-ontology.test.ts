import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../../test/support/growth.ts";
import { describeOntologyFaults } from "../../../domain/ontology-check.ts";
import { parseOntology } from "../../../domain/ontology-schema.ts";
import { createTagger } from "../../ingest/extract/statements/create-tagger.ts";
import { suggestOntology } from "./suggest-ontology.ts";

const tag = createTagger();

/** What is suggested, in short: "Author(name)", "Author WRITES Book". */
function suggest(useCase: string) {
  const outcome = suggestOntology(useCase, tag);
  assert.ok(outcome.kind === "suggestion", JSON.stringify(outcome));
  const { nodeTypes, edgeTypes, faults } = parseOntology(outcome.suggestion.schemaJson);
  assert.deepEqual(faults, []);
  return {
    name: outcome.suggestion.name,
    schemaJson: outcome.suggestion.schemaJson,
    nodeTypes,
    edgeTypes,
    types: nodeTypes.map(({ name, properties }) =>
      properties.length === 0 ? name : `${name}(${properties.join(", ")})`,
    ),
    edges: edgeTypes.map(
      ({ name, sourceTypes, targetTypes }) => `${sourceTypes.join("/")} ${name} ${targetTypes.join("/")}`,
    ),
  };
}

describe("an ontology is suggested from prose", () => {
  test("types come from nouns, edges from verbs, properties from lists", () => {
    const { types, edges } = suggest(
      "Beekeepers inspect hives. Hives stand in orchards. Each hive has a colour, a weight and a serial number.",
    );
    assert.deepEqual(types, ["Beekeeper", "Hive(colour, weight, serial_number)", "Orchard"]);
    assert.deepEqual(edges, ["Beekeeper INSPECTS Hive", "Hive STANDS_IN Orchard"]);
  });

  test("what only the request speaks of is no type", () => {
    const { types } = suggest(
      "I want to build a knowledge base that helps our users find information about lighthouses. Keepers light the lighthouses. The system should answer questions from text documents.",
    );
    assert.deepEqual(types.toSorted(), ["Keeper", "Lighthouse"]);
  });

  test("the passive voice is kept, with whoever acts as the target", () => {
    const { edges } = suggest("Bridges are designed by engineers. Bridges are inspected in workshops.");
    assert.deepEqual(edges, ["Bridge DESIGNED_BY Engineer", "Bridge INSPECTED_IN Workshop"]);
  });

  test("a verb that looks like a noun joins the nouns around it", () => {
    const { edges } = suggest("Ferries transport bicycles. Mechanics service ferries.");
    assert.deepEqual(edges, ["Ferry TRANSPORTS Bicycle", "Mechanic SERVICES Ferry"]);
  });

  test("a verb that ends like a gerund has its subject", () => {
    const { types, edges } = suggest("Sailors bring ropes to piers. Choirs sing hymns.");
    assert.deepEqual(types, ["Sailor", "Rope", "Pier", "Choir", "Hymn"]);
    assert.ok(edges.includes("Sailor BRINGS Rope") && edges.includes("Choir SINGS Hymn"), edges.join("; "));
  });

  test("edges are temporal where their sentence speaks of time", () => {
    const { edgeTypes } = suggest(
      "Captains command tugs from a start date until an end date. Tugs tow barges.",
    );
    assert.deepEqual(
      edgeTypes.map(({ name, temporal, properties }) => [name, temporal, properties]),
      [
        ["COMMANDS", true, ["start_date", "end_date"]],
        ["TOWS", false, []],
      ],
    );
  });

  test("a level above is there for groups, and only for them", () => {
    const { nodeTypes } = suggest("Bakers bake loaves. Loaves are grouped into product families.");
    assert.deepEqual(
      nodeTypes.map(({ name, level, aggregates }) => [name, level, aggregates]),
      [
        ["Baker", 0, []],
        ["Loaf", 0, []],
        ["ProductFamily", 1, ["Loaf"]],
      ],
    );
  });

  test("verbs of one name stay apart where joining them would allow what nobody said", () => {
    const { edges } = suggest("Poets write verses. Clerks write invoices.");
    assert.deepEqual(edges, ["Poet WRITES Verse", "Clerk WRITES_INVOICE Invoice"]);
  });

  test("descriptions are a few words made of the edges, and the name is in the words of the text", () => {
    const { nodeTypes, edgeTypes, name } = suggest(
      "A knowledge graph about tram lines. Drivers steer trams. Trams have a length and belong to depots.",
    );
    assert.equal(name, "Tram lines");
    const described = nodeTypes.map((type) => `${type.name} - ${type.description}`);
    assert.ok(described.includes("Driver - A driver: steers a tram."), described.join("; "));
    assert.ok(described.includes("Tram - A tram: belongs to a depot; has length."), described.join("; "));
    assert.ok(described.includes("Depot - A depot: a tram belongs to it."), described.join("; "));
    assert.equal(edgeTypes[0]?.description, "A driver steers a tram.");
  });
});

/** What each of these is read as; names of types in the order of the text. */
const READINGS: readonly (readonly [what: string, useCase: string, edges: readonly string[]])[] = [
  [
    "a question in the order of a statement",
    "Which sailor repaired which rope, and which pier owns a rope?",
    ["Sailor REPAIRS Rope", "Pier OWNS Rope"],
  ],
  [
    "a question with an auxiliary before the subject",
    "In which pond does a heron hunt? What fish did a heron eat?",
    ["Heron HUNTS_IN Pond", "Heron EATS Fish"],
  ],
  [
    "questions inside of a statement",
    "I want to find out which potters work for which kilns, and which kilns bought others.",
    ["Potter WORKS_FOR Kiln", "Kiln BUYS Kiln"],
  ],
  ["what is asked without a noun", "Who bakes which loaf?", ["Person BAKES Loaf"]],
  [
    "a relative clause with and without a pronoun",
    "Track canals, the locks they pass through and the keepers who open the locks.",
    ["Canal PASSES_THROUGH Lock", "Keeper OPENS Lock"],
  ],
  [
    "participles after their nouns",
    "- hats mended by milliners\n- firms supplying hats\n- trains stored in a shed",
    ["Hat MENDED_BY Milliner", "Firm SUPPLIES Hat", "Train STORED_IN Shed"],
  ],
  [
    "verbs that share a subject, and verbs that share an object",
    "A tug pulls barges, is moored at a quay and steered by a pilot. Pilots hire or buy tugs.",
    ["Tug PULLS Barge", "Tug MOORED_AT Quay", "Tug STEERED_BY Pilot", "Pilot HIRES Tug", "Pilot BUYS Tug"],
  ],
  [
    "pronouns",
    "A miller grinds grain crops. A weigher weighs them. Each miller trains another miller. He owns a mill.",
    ["Miller GRINDS GrainCrop", "Weigher WEIGHS GrainCrop", "Miller TRAINS Miller", "Miller OWNS Mill"],
  ],
  [
    "what is part of, member of or responsible for another",
    "A sail is part of a yacht. Crews are members of a club. A skipper is responsible for a yacht.",
    ["Sail PART_OF Yacht", "Crew MEMBER_OF Club", "Skipper RESPONSIBLE_FOR Yacht"],
  ],
  [
    "an adjective that tells of the noun before it",
    "Wardens responsible for cabins sell maps.",
    ["Warden RESPONSIBLE_FOR Cabin", "Warden SELLS Map"],
  ],
  [
    "what stands between a subject and its verb",
    "Buoys, which float in bays, record waves. Keepers, with rank and entry date, belong to a lighthouse. Kilns built by masons stand in yards.",
    [
      "Buoy FLOATS_IN Bay",
      "Buoy RECORDS Wave",
      "Keeper BELONGS_TO Lighthouse",
      "Kiln BUILT_BY Mason",
      "Kiln STANDS_IN Yard",
    ],
  ],
  [
    "a verb behind a relative clause of its sentence's object",
    "A play is based on a novel that was written by a poet, is staged in a hall and has a title.",
    ["Play BASED_ON Novel", "Novel WRITTEN_BY Poet", "Play STAGED_IN Hall"],
  ],
  ["a verb left out", "Plots lie in parks, parks in towns.", ["Plot LIES_IN Park", "Park LIES_IN_TOWN Town"]],
  ["quantities of things", "Lots of pilots steer a couple of ships.", ["Pilot STEERS Ship"]],
  [
    "somebody who would like to see it",
    "As a miller I want to see which mill grinds which grain.",
    ["Mill GRINDS Grain"],
  ],
  [
    "plurals that English forms otherwise",
    "Craftsmen restore organs. Geologists study volcanoes.",
    ["Craftsman RESTORES Organ", "Geologist STUDIES Volcano"],
  ],
  [
    "keywords",
    "smith, forge, anvil, blade; smith forges blade; blade tempered in forge; anvil stands in forge",
    ["Smith FORGES Blade", "Blade TEMPERED_IN Forge", "Anvil STANDS_IN Forge"],
  ],
];

describe("plain phrasing is read", () => {
  for (const [what, useCase, edges] of READINGS)
    test(what, () => assert.deepEqual(suggest(useCase).edges, edges));

  test("properties come from lists after what has them, and from phrases with of, for and per", () => {
    const { types } = suggest(
      "Ferries (draught, top speed) cross straits. What are the name and the depth of a strait?\n- Ferries call at piers: pier number, length\n- A tax code must be kept per pier.",
    );
    assert.ok(
      types.some((type) => /^Ferry\(.*top speed|^Ferry\(.*top_speed/.test(type)),
      types.join("; "),
    );
    assert.ok(types.includes("Strait(depth)") || types.includes("Strait(name, depth)"), types.join("; "));
  });

  test("what a thing is to another is no property of the other", () => {
    assert.deepEqual(suggest("A sail is part of a yacht.").types, ["Sail", "Yacht"]);
  });

  test("small talk of a mail names no types", () => {
    const { types, edges } = suggest(
      "Hi Ines,\n\nhope your holidays were good and that the dog is better! As I said, the office was cold. Gardeners plant shrubs in beds. Does anyone have my green scarf?\n\nCheers\nOle",
    );
    assert.deepEqual(types, ["Gardener", "Shrub", "Bed"]);
    assert.deepEqual(edges, ["Gardener PLANTS Shrub", "Shrub LOCATED_IN Bed"]);
  });
});

describe("an ontology is suggested from a layout", () => {
  test("lists of entities and relationships are taken as they stand, and prose beside them adds no type", () => {
    const { types, edges } = suggest(
      "We sell instruments to musicians.\n\nEntities: Luthier (name, town), Violin, Repair\nRelationships: Luthier -> BUILDS -> Violin; Repair -> RESTORES -> Violin",
    );
    assert.deepEqual(types, ["Luthier(name, town)", "Violin", "Repair"]);
    assert.deepEqual(edges, ["Luthier BUILDS Violin", "Repair RESTORES Violin"]);
  });

  test("bullets, brackets, dashes and Markdown are read", () => {
    const { types, edges, nodeTypes } = suggest(
      "## Node types\n- **Glider**: an aircraft without an engine, with a wingspan and a callsign\n- Pilot (name, licence)\n\n## Edge types\n- flies: Pilot -> Glider\n- (Pilot)-[:TRAINS]->(Pilot)\n- Pilot rents Glider",
    );
    assert.deepEqual(types, ["Glider(wingspan, callsign)", "Pilot(name, licence)"]);
    assert.deepEqual(edges, ["Pilot FLIES Glider", "Pilot TRAINS Pilot", "Pilot RENTS Glider"]);
    assert.equal(nodeTypes[0]?.description, "an aircraft without an engine");
  });

  test("samples in JSON give types, properties and edges", () => {
    const { types, edges } = suggest(
      'Sample output: {"nodes": [{"type": "Quarry", "name": "Old Pit", "properties": {"depth": 40}}, {"type": "Stone", "name": "slate"}], "edges": [{"source": "Old Pit", "target": "slate", "relation": "yields"}]}',
    );
    assert.deepEqual(types, ["Quarry(depth, name)", "Stone(name)"]);
    assert.deepEqual(edges, ["Quarry YIELDS Stone"]);
  });

  test("names of things in samples give no types, and an arrow beside prose hides nothing of it", () => {
    const { types, edges } = suggest(
      "Divers explore wrecks.\nLeak -> DAMAGES -> Wreck\nSample output: (Ada Byron) -[FOUND]-> (Sea Witch)",
    );
    assert.deepEqual(types.toSorted(), ["Diver", "Leak", "Wreck"]);
    assert.deepEqual(edges.toSorted(), ["Diver EXPLORES Wreck", "Leak DAMAGES Wreck"]);
    assert.deepEqual(suggest("Example: Divers explore wrecks.").edges, ["Diver EXPLORES Wreck"]);
  });

  test("a few names without a sentence are types", () => {
    assert.deepEqual(suggest("locks; keys").types, ["Lock", "Key"]);
  });
});

describe("whatever is sent", () => {
  test("a text without anything to name says what to do", () => {
    const outcome = suggestOntology("!!! ???", tag);
    assert.ok(outcome.kind === "nothing");
    assert.match(outcome.reason, /Name them and say how they are related/);
  });

  test("kinds of things that nothing joins are named, and their relationships asked for", () => {
    const outcome = suggestOntology("A ship has a name. A harbour has a depth and a number.", tag);
    assert.ok(outcome.kind === "nothing");
    assert.match(outcome.reason, /^no relationships were found between .*\(Ship, Harbour\)\. Say how/);
  });

  for (const text of [
    "ship",
    "Thanks a lot!",
    "the best ontology ever",
    "hope the holidays were good and that your daughter is over the flu! As promised over coffee.",
    "It was raining and I was tired. Nothing worked and nobody came.",
    "const x = add(1, 2);\nfor (let i = 0; i < x; i++) console.log(i);",
    "https://example.com/a/b?c=d",
    "Les auteurs écrivent des livres",
    "table green quickly over lamp seven yet bottle sing purple under nine cloud jump wet stone often paper tall river",
  ]) {
    test(`nothing is made of "${text.slice(0, 24)} …"`, () =>
      assert.equal(suggestOntology(text, tag).kind, "nothing"));
  }

  test("another language is told apart from one that is read", () => {
    const outcome = suggestOntology(
      "Wir wollen Kunden, Bestellungen und Lieferungen erfassen, damit der Vertrieb sie auswerten kann.",
      tag,
    );
    assert.ok(outcome.kind === "nothing");
    assert.match(outcome.reason, /only English is read/);
    assert.deepEqual(suggest("Wir erfassen Daten.\nKunde -> KAUFT -> Ware").edges, ["Kunde KAUFT Ware"]);
  });

  for (const text of [
    "Unser Laden war in der Stadt am Hafen, so war das Lager also an einem Ort. Die Kunden holen die Waren im Lager ab.",
    "I soci prenotano campi in palestre e i maestri danno lezioni in piscine a soci adulti",
    "De leden boeken banen in de hal en de trainers geven les in het bad, so was it at hand.",
    "Les membres de la salle sont dans un club et chaque club a des salles pour les cours qui sont au programme.",
  ]) {
    test(`words that English has as well make no English of "${text.slice(0, 24)} …"`, () => {
      const outcome = suggestOntology(text, tag);
      assert.ok(outcome.kind === "nothing", JSON.stringify(outcome));
      assert.match(outcome.reason, /only English is read/);
    });
  }

  for (const again of [" ", "\n", "\n\n"]) {
    test(`a text that is repeated after ${JSON.stringify(again)} is still English`, () => {
      const once = "Customers place orders. Shops sell goods.";
      const repeated = Array.from({ length: 500 }, () => once).join(again);
      assert.deepEqual(suggest(repeated), suggest(once));
    });
  }

  test("a list of names is read in any language and at any length", () => {
    assert.deepEqual(suggest("Anchor, ".repeat(30_000)).types, ["Anchor"]);
    const names = "Anchor, Buoy, Crane, Dock, Engine, Flag, Gangway, Hatch, Jetty, Keel, Lock, Mast, Pier";
    assert.deepEqual(suggest(names).types.length, 13);
    assert.deepEqual(
      suggest("Anker; Boje; Kran; Mast; Kiel; Luke; Flagge; Winde; Kette; Ruder; Segel; Bug; Heck").types
        .length,
      13,
    );
  });

  test("a short name of a language does not make a text of it", () => {
    const { edges } = suggest(
      "Pilots steer ships. Captains command the De Ruyter, the El Faro and La Paloma.",
    );
    assert.ok(edges.includes("Pilot STEERS Ship"), edges.join("; "));
  });

  test("a suggestion can always be created, and the same text gives the same one", () => {
    const words = fc.constantFrom(
      ..."each book has a title and the authors who write books are grouped into guilds , . : ; - -> ( ) { } [ ] \" of with from to by is are was -- * # Entities: Relationships: ProductLine WORKS_AT 's their it they which ß ﬁle Straße 漢字 книги \0 \ud800".split(
        " ",
      ),
    );
    const garbage = fc.oneof(
      fc
        .array(fc.oneof({ weight: 5, arbitrary: words }, fc.string({ unit: "grapheme", maxLength: 8 })), {
          maxLength: 80,
        })
        .map((parts) => parts.join(" ")),
      fc.array(words, { maxLength: 60 }).map((parts) => parts.join("\n")),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.json({ maxDepth: 4 }),
    );
    fc.assert(
      fc.property(garbage, (text) => {
        const outcome = suggestOntology(text, tag);
        assert.deepEqual(suggestOntology(text, tag), outcome);
        if (outcome.kind === "nothing") return;
        assert.equal(describeOntologyFaults(outcome.suggestion.schemaJson), null, text);
        assert.match(outcome.suggestion.name, /\S/);
        assert.ok(outcome.suggestion.name.length <= 200 && outcome.suggestion.name.isWellFormed());
      }),
      { numRuns: 50 },
    );
  });

  test("groups over groups are gone through once", async () => {
    const noun = (layer: number, at: string) =>
      `${"bdfgklmnprstvz"[layer % 14]}a${"dgknprtz"[layer >> 3]}o${at}`;
    await assertLinear("layers of groups", 6, (layers) => {
      const groups = Array.from({ length: layers }, (_, layer) =>
        ["ber", "lun"].map(
          (at) => `Each ${noun(layer, at)} groups ${noun(layer + 1, "ber")}s and ${noun(layer + 1, "lun")}s.`,
        ),
      );
      assert.equal(suggestOntology(groups.flat().join(" "), tag).kind, "suggestion");
    });
  });

  test("the time for repetitive texts grows with their length alone", async () => {
    const pieces = [
      "[",
      '{"a":',
      "cats and ",
      "of cats ",
      "x -> y\n",
      "(",
      "cats' ",
      " ",
      "\t",
      "\n",
      "a ",
      "A → ",
    ];
    const begun = ["", "Entities: ", "Edges: ", "Edges: A → B ("].flatMap((start) =>
      [...pieces, "A_B ", "a: ", "- (", "=", "until ", "from ", "with "].map((piece) => ({ start, piece })),
    );
    await assertLinear("suggestions", 4_000, (units) => {
      for (const { start, piece } of begun) suggestOntology(start + piece.repeat(units / piece.length), tag);
    });
  });
});
