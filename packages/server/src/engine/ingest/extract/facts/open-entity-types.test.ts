import assert from "node:assert/strict";
import { it } from "node:test";
import type { CoarseScore, CoarseType } from "../types/coarse-type.ts";
import type { PossibleEntity } from "./found-entity.ts";
import { pairsOf, readForeignType, readOpenType, settleTypes, typesAsked } from "./open-entity-types.ts";
import { OPEN_TYPES } from "./open-types.ts";
import { readTestPassage } from "./test-sentences.ts";

const mention = { start: 0, end: 1, from: 0, to: 1, kind: "proper", variantOf: null, isWhole: true } as const;

function score(shares: Partial<Record<CoarseType, number>>, none = 0.1): CoarseScore {
  const all = new Map(Object.entries(shares) as [CoarseType, number][]);
  const [type, confidence] = [...all].sort((a, b) => b[1] - a[1])[0] ?? ["Other", 0];
  return { type, confidence, none, shares: all };
}

function entity(key: string, shares: Partial<Record<CoarseType, number>>): PossibleEntity {
  const read = readOpenType(score(shares), mention, key);
  assert.ok(read !== null, key);
  return { ...mention, sentence: 0, name: key, key, ...read };
}

const asked = (type: string, source: string | null, target: string | null) =>
  typesAsked({ type, source, target });

it("the last word of a name decides where no type leads by itself", () => {
  const read = readOpenType(score({ Product: 0.4, Organization: 0.3 }), mention, "Tarnwick Foundry");
  assert.deepEqual([read?.type, read?.isSure], ["Organization", true]);
  assert.equal(readOpenType(score({ Work: 0.4 }), mention, "Odranside Film")?.type, "Organization");
  assert.equal(readOpenType(score({ Person: 0.4 }), mention, "Odranside House")?.type, "Location");
  // A type that is sure goes before it, and so does a person's given name.
  assert.equal(readOpenType(score({ Work: 0.9 }), mention, "Tarnwick Foundry")?.type, "Work");
  assert.equal(readOpenType(score({ Person: 0.4 }), mention, "Anna House")?.type, "Person");
});

it("a firm that is made of names is an organisation", () => {
  const read = readOpenType(score({ Location: 0.8 }), { ...mention, isFirm: true }, "Tarling & Moss");
  assert.equal(read?.type, "Organization");
});

it("a part of a name, and what may well be nothing, is no entity without a type", () => {
  assert.equal(readOpenType(score({ Person: 0.4 }), { ...mention, isWhole: false }, "Orsk"), null);
  assert.equal(readOpenType(score({ Person: 0.4 }, 0.8), mention, "Orsk"), null);
});

it("the verb decides between the types that a name leaves open", () => {
  const founder = entity("odran quill", { Product: 0.4, Person: 0.3, Location: 0.2 });
  const made = entity("blorvex", { Product: 0.45, Organization: 0.35 });
  const settled = settleTypes([founder, made], asked("FOUNDED_BY", "blorvex", "odran quill"));
  assert.deepEqual([settled.get("odran quill"), settled.get("blorvex")], ["Person", "Organization"]);
});

it("the verb overrules what only the words around a name say, and not what its own words say", () => {
  const film = entity("silt orchard", { Location: 0.9, Work: 0.02 });
  const band = entity("Tarnwick University", { Location: 0.4, Work: 0.2 });
  const directed = [film, band].flatMap(({ key }) => asked("DIRECTED_BY", key, null));
  const settled = settleTypes([film, band], directed);
  assert.deepEqual([settled.get("silt orchard"), settled.has("Tarnwick University")], ["Work", false]);
  const house = entity("Odranside House", { Location: 0.4, Organization: 0.2 });
  assert.equal(settleTypes([house], asked("PUBLISHED_BY", null, house.key)).get(house.key), "Organization");
  const person = entity("odran quill", { Person: 0.9, Product: 0.1 });
  assert.equal(settleTypes([person], asked("RELEASED_BY", person.key, null)).has(person.key), false);
  assert.equal(settleTypes([film], asked("LOCATED_IN", "silt orchard", null)).has("silt orchard"), false);
});

it("of several verbs those decide that ask for the same", () => {
  const film = entity("silt orchard", { Product: 0.8, Work: 0.1 });
  const ends = ["DIRECTED_BY", "WRITTEN_BY", "PRODUCED_BY"].flatMap((type) => asked(type, film.key, null));
  assert.equal(settleTypes([film], ends).get(film.key), "Work");
});

it("a name that is joined to another is of its type where nothing else tells", () => {
  const town = entity("orsk", { Location: 0.8 });
  const other = entity("velm", { Product: 0.5, Location: 0.2 });
  const firm = entity("drun", { Product: 0.6 });
  const settled = settleTypes(
    [town, other, firm],
    [],
    [
      [town, other],
      [firm, town],
    ],
  );
  assert.deepEqual([settled.get("velm"), settled.get("drun")], ["Location", "Thing"]);
});

it("names of a list stand side by side, and a comma alone makes none", () => {
  const names = { Orsk: "Location", Velm: "Location", Drun: "Location", Ebra: "Location" };
  const { passage, entities } = readTestPassage(
    "They saw Orsk, Velm, and Drun at Ebra. In Ebra, Velm grew.",
    names,
  );
  assert.deepEqual(
    pairsOf(entities, passage).map((pair) => pair.map(({ name }) => name)),
    [
      ["Orsk", "Velm"],
      ["Velm", "Drun"],
    ],
  );
});

it("a name that only leans towards a type has none", () => {
  const leans = entity("orsk", { Product: 0.6, Person: 0.2 });
  assert.equal(settleTypes([leans], []).get("orsk"), "Thing");
  assert.equal(leans.shares.length, OPEN_TYPES.length);
});

it("in other languages only the name's own words tell a type, and capitals are a name only where nouns have none", () => {
  const read = (name: string, language: string) => readForeignType(mention, name, language)?.type ?? null;
  assert.equal(read("Tarnwick Logistik GmbH", "de"), "Organization");
  assert.equal(read("Anna Tarnwick", "de"), "Person");
  assert.deepEqual([read("Orsk Varnel", "pl"), read("Orsk Varnel", "de")], ["Thing", null]);
  assert.equal(read("Orsk", "pl"), null);
});
