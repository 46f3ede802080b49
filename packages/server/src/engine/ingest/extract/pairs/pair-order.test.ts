import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { profileEdges } from "../relations/edge-profile.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { describePairs, profilePairEdges } from "./pair-features.ts";
import { createWordVectors } from "./word-vectors.ts";

const tag = createTagger();
const embed = () => Promise.resolve(new Float32Array(8));

const schemaOf = (names: readonly string[]) => {
  const edge_types = names.map((name) => ({ name, source_types: ["Mill"], target_types: ["Mill"] }));
  return parseOntology(
    JSON.stringify({ ontology: { hierarchy: [{ level: 0, node_types: { Mill: {} } }], edge_types } }),
  );
};

/** "Orrick ACQUIRED_BY Tessel", of two names of one type. */
async function orderOf(text: string, edge: string): Promise<readonly string[]> {
  const schema = schemaOf([edge]);
  const tokens = tag(text, { start: 0, end: text.length });
  const names = findEntityMentions(tokens)
    .filter(({ start, end }) => /^(?:Orrick|Tessel)$/.test(text.slice(start, end)))
    .map((mention) => {
      const name = text.slice(mention.start, mention.end);
      return { mention, name, key: name.toLowerCase(), none: 0.1, logShares: [0] };
    });
  assert.equal(names.length, 2, text);
  const context = {
    edges: await profilePairEdges(schema, embed),
    vectors: createWordVectors(embed),
    stem: createTriggerStem(),
    likeness: createRecentMap<string, readonly number[]>(8),
    centre: null,
  };
  const pairs = await describePairs({ tokens, names, stateOf: () => new Float32Array(8) }, context);
  return pairs.map(({ source, target }) => `${source.name} ${edge} ${target.name}`);
}

/** Each with an active name and a passive one of the same fact: the first of the names does it. */
const told: readonly (readonly [text: string, active: string, passive: string, isSecondDoer?: true])[] = [
  ["Orrick has acquired Tessel of Lyon for three millions.", "ACQUIRED", "ACQUIRED_BY"],
  ["Orrick has today completed its purchase of Tessel.", "PURCHASED", "PURCHASED_BY"],
  ["Orrick takes over Tessel.", "TAKES_OVER", "TAKEN_OVER_BY"],
  ["Orrick has agreed to buy Tessel.", "BOUGHT", "BOUGHT_BY"],
  ["Orrick was acquired by Tessel in March.", "ACQUIRED", "ACQUIRED_BY", true],
  ["Orrick, which was acquired by Tessel in March, stands empty.", "ACQUIRED", "ACQUIRED_BY", true],
  ["Orrick, which Tessel has acquired, stands empty.", "ACQUIRED", "ACQUIRED_BY", true],
  ["The acquisition of Orrick by Tessel was announced.", "ACQUIRED", "ACQUIRED_BY", true],
  ["Orrick is the owner of Tessel.", "OWNS", "OWNED_BY"],
  ["Orrick is the parent company of Tessel.", "OWNS", "OWNED_BY"],
  ["Orrick, a subsidiary of Tessel, has forty looms.", "OWNS", "OWNED_BY", true],
  ["Orrick belongs to Tessel.", "OWNS", "OWNED_BY", true],
  ["Orrick's owner Tessel sold its plant.", "OWNS", "OWNED_BY", true],
  ["Orrick supplies Tessel with yarn.", "SUPPLIES", "SUPPLIED_BY"],
  ["Orrick is a customer of Tessel.", "SUPPLIES", "SUPPLIED_BY", true],
  ["Orrick replaced Tessel.", "REPLACES", "REPLACED_BY"],
  ["Orrick preceded Tessel.", "PRECEDES", "PRECEDED_BY"],
];

for (const [text, active, passive, isSecondDoer] of told)
  test(`"${text}" is told the same under ${active} and ${passive}`, async () => {
    const [does, undergoes] = isSecondDoer ? ["Tessel", "Orrick"] : ["Orrick", "Tessel"];
    assert.deepEqual(await orderOf(text, active), [`${does} ${active} ${undergoes}`]);
    assert.deepEqual(await orderOf(text, passive), [`${undergoes} ${passive} ${does}`]);
  });

test("what a subject undergoes, and verbs that run the other way, keep the order of the sentence", async () => {
  const cases = [
    ["Orrick reports to Tessel.", "MANAGED_BY"],
    ["Orrick joined Tessel.", "EMPLOYED_BY"],
    ["Orrick succeeded Tessel.", "PRECEDED_BY"],
    ["Orrick preceded Tessel.", "SUCCEEDED_BY"],
    ["Orrick belongs to Tessel.", "BELONGS_TO"],
    ["Orrick is a subsidiary of Tessel.", "SUBSIDIARY_OF"],
  ] as const;
  for (const [text, edge] of cases) assert.deepEqual(await orderOf(text, edge), [`Orrick ${edge} Tessel`]);
});

test("the form of a name tells who its target is, before what its words mean", () => {
  const names = ["ACQUIRED", "ACQUIRED_BY", "EMPLOYED_BY", "OWNER", "OWNER_OF", "SUBSIDIARY_OF", "PART_OF"];
  const more = ["PRECEDED_BY", "REGULATES", "REGULATED_BY", "KILLED", "KILLED_BY", "INVESTED_IN", "INVESTOR"];
  const roles = profileEdges(schemaOf([...names, ...more]), createTriggerStem()).map(({ edge, role }) => [
    edge.name,
    role,
  ]);
  assert.deepEqual(Object.fromEntries(roles), {
    ACQUIRED: "patient",
    ACQUIRED_BY: "agent",
    EMPLOYED_BY: "agent",
    OWNER: "agent",
    OWNER_OF: "patient",
    SUBSIDIARY_OF: "agent",
    PART_OF: "any",
    PRECEDED_BY: "agent",
    REGULATES: "patient",
    REGULATED_BY: "agent",
    KILLED: "patient",
    KILLED_BY: "agent",
    INVESTED_IN: "patient",
    INVESTOR: "agent",
  });
});
