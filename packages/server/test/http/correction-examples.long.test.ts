import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const SCHEMA = {
  ontology: {
    hierarchy: [{ level: 0, node_types: { Person: {}, Mill: { description: "A mill" } } }],
    edge_types: [{ name: "TENDS", source_types: ["Person"], target_types: ["Mill"] }],
  },
};
const TWO_TYPES = {
  ontology: {
    ...SCHEMA.ontology,
    edge_types: [
      ...SCHEMA.ontology.edge_types,
      { name: "VISITS", source_types: ["Person"], target_types: ["Mill"] },
    ],
  },
};
const PEOPLE = [
  ...["Ada Larsen", "Tomas Vell", "Odile Brandt", "Maria Gonzalez", "Jon Feld"],
  ...["Ilse Hart", "Peter Novak", "Anna Keller", "Hugo Marsh", "Clara Wood"],
];
const MILLS = ["Larkspur", "Tarnholm", "Orrin", "Vell", "Kestrel", "Harl", "Clay", "Dorn", "Elm", "Fern"];
const sentenceOf = (person: string, mill: string) => `${person} is the keeper of ${mill} Mill.`;
const ELSEWHERE = { source_doc_id: "elsewhere", text: sentenceOf("Emil Stone", "Gale") };

describeOnEach((setting) => {
  const use = useService(setting);

  test("ten confirmed proposals, put into an ontology with one call, change what another text asserts", async () => {
    const { owner } = use();
    const { id: ontology_id } = await owner.succeed("createOntology", {
      body: { name: "Mills", schema: SCHEMA },
    });
    const create = () => owner.succeed("createProject", { body: { name: "Mills", ontology_id } });
    const read = async ({ project_id }: { readonly project_id: string }) => {
      await ingestAll(owner, project_id, [ELSEWHERE]);
      const params = { project_id };
      const { relationships } = await owner.succeed("listRelationships", { params });
      return relationships.map(({ source, type, target }) => `${source.name} ${type} ${target.name}`);
    };
    const earlier = await create();

    const made = await create();
    const params = { project_id: made.project_id };
    const texts = PEOPLE.map((person, at) => sentenceOf(person, MILLS[at] ?? ""));
    await ingestAll(
      owner,
      made.project_id,
      texts.map((text, at) => ({ source_doc_id: `mill ${at}`, text })),
    );
    const { proposals } = await owner.succeed("listProposals", { params });
    assert.equal(proposals.length, 10);
    const corrections = proposals.map(({ source, type, target, evidence }) => ({
      ...{ kind: "confirm", source, type, target },
      ...{ document: evidence[0]?.source_doc_id, sentence: evidence[0]?.text },
    }));
    await owner.succeed("createCorrections", { params, body: { corrections } });
    assert.equal((await owner.succeed("listRelationships", { params })).total, 10);
    const taught = await owner.succeed("addExamplesToOntology", { params });
    assert.deepEqual([taught.ontology.id, taught.ontology.version], [ontology_id, 2]);
    assert.deepEqual(taught.edge_types, [{ name: "TENDS", added: 10, left_out: 0 }]);
    assert.deepEqual(await read(await create()), ["Emil Stone TENDS Gale Mill"]);
    assert.deepEqual(await read(earlier), [], "the version before is unchanged");
  });

  test("ten verdicts change by themselves what is asserted elsewhere, of their edge type alone, until they are undone", async () => {
    const { owner } = use();
    const { id } = await owner.succeed("createOntology", { body: { name: "Mills", schema: TWO_TYPES } });
    const { project_id } = await owner.succeed("createProject", { body: { name: "Mills", ontology_id: id } });
    const params = { project_id };
    await ingestAll(owner, project_id, [
      ...PEOPLE.map((person, at) => ({
        source_doc_id: `mill ${at}`,
        text: `${person} maintains ${MILLS[at]} Mill.`,
      })),
      { source_doc_id: "elsewhere", text: "Hanna Berg maintains Alder Mill. Lena Moor visited Brandt Mill." },
    ]);
    const read = async () => {
      const { relationships } = await owner.succeed("listRelationships", { params });
      const { proposals } = await owner.succeed("listProposals", { params });
      return { relationships, proposals };
    };
    const elsewhere = async () => {
      const { relationships, proposals } = await read();
      const isElsewhere = ({ evidence }: (typeof relationships | typeof proposals)[number]) =>
        evidence[0]?.source_doc_id === "elsewhere";
      return {
        asserted: relationships
          .filter(isElsewhere)
          .map(({ source, type, target }) => `${source.name} ${type} ${target.name}`)
          .sort(),
        proposed: proposals.filter(isElsewhere).map(({ source, type }) => `${source.name} ${type}`),
      };
    };
    const before = await elsewhere();
    assert.deepEqual(before, {
      asserted: ["Lena Moor VISITS Brandt Mill"],
      proposed: ["Hanna Berg TENDS"],
    });
    const { relationships, proposals } = await read();
    const verdicts = [...relationships, ...proposals].filter(
      ({ type, source }) => type === "TENDS" && source.name !== "Hanna Berg",
    );
    const { corrections } = await owner.succeed("createCorrections", {
      params,
      body: {
        corrections: verdicts.map(({ source, type, target, evidence }) => ({
          ...{ kind: "confirm", source, type, target },
          ...{ document: evidence[0]?.source_doc_id, sentence: evidence[0]?.text },
        })),
      },
    });
    assert.equal(corrections.length, 10);
    assert.deepEqual(await elsewhere(), {
      asserted: ["Hanna Berg TENDS Alder Mill", "Lena Moor VISITS Brandt Mill"],
      proposed: [],
    });
    assert.deepEqual((await owner.succeed("listCorrections", { params })).taught, [
      { type: "TENDS", confirmed: 10, rejected: 0, asserted: 1, proposed: 0 },
    ]);
    for (const { correction_id } of corrections)
      await owner.succeed("deleteCorrection", { params: { ...params, correction_id } });
    assert.deepEqual(await elsewhere(), before);
  });

  test("a project without an ontology has none to put examples into", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const reply = await owner.endpoint("addExamplesToOntology", { params });
    assertFault(reply, 409, "The project has no ontology.");
  });
});
