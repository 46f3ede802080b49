/** Relationships of a time, over every endpoint that takes one. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { responses } from "@kcs/contract";
import { withConnection } from "../mcp/connect.ts";
import { assertFault } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const ONTOLOGY = {
  hierarchy: [
    {
      level: 0,
      node_types: {
        Person: { description: "A human being" },
        Company: { description: "A business" },
      },
    },
  ],
  edge_types: [
    {
      name: "WORKS_FOR",
      source_types: ["Person"],
      target_types: ["Company"],
      temporal: true,
      properties: [],
    },
  ],
};
const DOCUMENTS = [
  { source_doc_id: "first", text: "Ilse Brandt worked for Harrow Mills Ltd from 1990 to 1995." },
  { source_doc_id: "second", text: "Ilse Brandt worked for Nordvik Robotics Ltd from 1996 to 2004." },
];
const FIRST = "Ilse Brandt WORKS_FOR Harrow Mills Ltd";
const SECOND = "Ilse Brandt WORKS_FOR Nordvik Robotics Ltd";

interface Named {
  readonly source: { readonly name: string };
  readonly type: string;
  readonly target: { readonly name: string };
}

describeOnEach((setting) => {
  const use = useService(setting);
  let project_id = "";
  before(async () => {
    const { owner } = use();
    const schema = { ontology: ONTOLOGY };
    const { id } = await owner.succeed("createOntology", { body: { name: "Posts", schema } });
    const body = { name: "Posts", ontology_id: id };
    project_id = (await owner.succeed("createProject", { body })).project_id;
    await ingestAll(owner, project_id, DOCUMENTS);
  });

  const everywhere = async (as_of?: string) => {
    const { owner } = use();
    const params = { project_id };
    const query = as_of === undefined ? {} : { as_of };
    const list = await owner.succeed("listRelationships", { params, query });
    const [person] = (await owner.succeed("listEntities", { params, query: { search: "ilse" } })).entities;
    const entity_id = person?.entity_id ?? "";
    const entity = await owner.succeed("getEntity", { params: { project_id, entity_id }, query });
    const asked = { query: "Who does Ilse Brandt work for?", ...query };
    const answers = ["static", "dynamic"].map(async (mode) => {
      const { results } = await owner.succeed("query", { params, body: { ...asked, mode } });
      return results.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`).sort();
    });
    const exported = await owner.endpoint("exportGraph", {
      params,
      query: { ...query, format: "csv", part: "relationships" },
    });
    const told = ({ relationships }: { relationships: readonly Named[] }) =>
      relationships.map(({ source, type, target }) => `${source.name} ${type} ${target.name}`).sort();
    return {
      lists: [told(list), told(entity), ...(await Promise.all(answers))],
      total: list.total,
      history: told({ relationships: entity.history }),
      csv: exported.text,
    };
  };

  test("relationships that hold then are listed, answered and exported, without a time those that have not ended", async () => {
    for (const [asOf, expected] of [
      [undefined, []],
      ["1995-12-31", [FIRST]],
      ["2000", [SECOND]],
      ["2005-01", []],
    ] as const) {
      const { lists, history, total, csv } = await everywhere(asOf);
      for (const list of lists) assert.deepEqual(list, expected, asOf ?? "now");
      assert.equal(total, expected.length);
      assert.deepEqual(
        history,
        [FIRST, SECOND].filter((each) => !(expected as readonly string[]).includes(each)),
      );
      assert.equal(csv.includes("Harrow Mills"), asOf === "1995-12-31");
      assert.equal(csv.includes("Nordvik Robotics"), asOf === "2000");
    }
  });

  test("a question that names a time is asked as of it, and the explanation says so", async () => {
    const { owner } = use();
    const ask = async (query: string, as_of?: string) => {
      const body = { query, include: ["explain" as const], ...(as_of === undefined ? {} : { as_of }) };
      const { results, explain } = await owner.succeed("query", { params: { project_id }, body });
      const told = results.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`);
      return [told, explain?.plan.as_of];
    };
    const question = "Who did Ilse Brandt work for in 1992?";
    assert.deepEqual(await ask(question), [[FIRST], { date: "1992", by: "question" }]);
    assert.deepEqual(await ask(question, "2000"), [[SECOND], { date: "2000", by: "request" }]);
    const [told, asOf] = await ask("When did Ilse Brandt work for Harrow Mills Ltd?");
    assert.deepEqual(told, [FIRST, SECOND], "a question for a time has what has ended");
    assert.equal((asOf as { by: string }).by, "today");
  });

  test("a question of a time is answered by the passages of that time, which the explanation dates", async () => {
    const { owner } = use();
    const { project_id } = await owner.succeed("createProject", { body: { name: "Letters" } });
    const letters = [
      ["The treasurer of the mill is Ilse Brandt.", "2012-05-01"],
      ["The treasurer of the mill is Tomas Falk.", "2018-05-01"],
      ["The treasurer of the mill is Ruth Adeyemi.", "2024-05-01"],
    ].map(([text = "", date = ""], at) => ({ source_doc_id: `letter ${at}`, text, metadata: { date } }));
    await ingestAll(owner, project_id, letters);
    const ask = async (body: { readonly query: string; readonly as_of?: string }) => {
      const asked = { ...body, include: ["explain" as const, "provenance" as const] };
      const { results, explain } = await owner.succeed("query", { params: { project_id }, body: asked });
      return { first: results.chunks[0]?.source_doc_id, summary: results.summary, dated: explain?.dated };
    };
    const query = "Who is the treasurer of the mill?";
    for (const [as_of, letter, name] of [
      ["2013", "letter 0", "Ilse Brandt"],
      ["2018-12-31", "letter 1", "Tomas Falk"],
      ["2025-01", "letter 2", "Ruth Adeyemi"],
    ] as const) {
      const { first, summary, dated } = await ask({ query, as_of });
      assert.equal(first, letter);
      assert.ok(summary.startsWith(`The treasurer of the mill is ${name}.`), summary);
      assert.equal(dated?.length, 3);
      assert.equal(dated?.[0]?.date, letters.find((each) => each.source_doc_id === letter)?.metadata.date);
    }
    assert.equal((await ask({ query: "Who was the treasurer of the mill in 2019?" })).first, "letter 1");
    assert.equal((await ask({ query })).dated, undefined);
  });

  test("a question that names a time by an event is asked of the time that a passage or the graph tells", async () => {
    const { owner } = use();
    const ask = async (project_id: string, query: string, more: { readonly as_of?: string } = {}) => {
      const body = { query, ...more, include: ["explain" as const, "provenance" as const] };
      const { results, explain } = await owner.succeed("query", { params: { project_id }, body });
      const { as_of, event } = explain?.plan ?? {};
      const told = results.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`);
      const listed = results.chunks.map(({ source_doc_id }) => source_doc_id);
      return { told, listed, as_of, event, dated: explain?.dated, summary: results.summary };
    };
    const after = await ask(
      project_id,
      "Who did Ilse Brandt work for after she worked for Harrow Mills Ltd?",
    );
    assert.deepEqual([after.told, after.as_of], [[SECOND], { date: "1996-01-01", by: "question" }]);
    const during = await ask(project_id, "What did Falk say when Ilse Brandt worked for Harrow Mills Ltd?");
    assert.deepEqual(during.as_of, { date: "1990", until: "1995", by: "question" });
    assert.deepEqual(during.told, [FIRST]);

    const made = await owner.succeed("createProject", { body: { name: "Letters", vector_only: true } });
    const letters = [
      ["The treasurer of the mill is Ilse Brandt.", "2012-05-01"],
      ["The merger of the mill with Nordvik took place on 4 June 2015.", "2024-06-01"],
      ["The treasurer of the mill is Ruth Adeyemi.", "2024-05-01"],
      ["Before the merger with Nordvik, Tomas Falk was the bookkeeper.", "2024-05-02"],
    ].map(([text = "", date = ""], at) => ({ source_doc_id: `letter ${at}`, text, metadata: { date } }));
    await ingestAll(owner, made.project_id, letters);
    const question = "Who was the treasurer of the mill before the merger with Nordvik?";
    for (const query of [question, "Before the merger with Nordvik, who was the treasurer of the mill?"]) {
      const { listed, as_of, event, summary } = await ask(made.project_id, query);
      assert.deepEqual(as_of, { date: "2015-06-03", by: "question" });
      assert.deepEqual([event?.from, event?.to, event?.relation], ["2015-06-04", "2015-06-04", "before"]);
      assert.deepEqual(
        [event?.text, event?.evidence?.source_doc_id],
        ["before the merger with Nordvik", "letter 1"],
      );
      assert.equal(event?.evidence?.text, letters[1]?.text);
      assert.ok(listed.indexOf("letter 0") < listed.indexOf("letter 2"), listed.join());
      assert.ok(summary.includes("Ilse Brandt") && !summary.includes("Ruth Adeyemi"), summary);
    }
    const later = await ask(made.project_id, "Who was the bookkeeper before the merger with Nordvik?");
    assert.equal(later.listed[0], "letter 3");
    assert.equal(later.dated?.find(({ source_doc_id }) => source_doc_id === "letter 3")?.share, 1);
    const given = await ask(made.project_id, question, { as_of: "2025" });
    assert.deepEqual([given.as_of?.by, given.event], ["request", undefined]);
    const unknown = await ask(made.project_id, "Who was the treasurer of the mill before the flood?");
    assert.equal(unknown.as_of?.by, "today");
    assert.deepEqual(
      [unknown.event?.text, unknown.event?.from, unknown.event?.evidence],
      ["before the flood", null, null],
    );
    const body = { query: question, mode: "dynamic", include: ["explain" as const] };
    const { explain } = await owner.succeed("query", { params: { project_id: made.project_id }, body });
    assert.equal(explain?.plan.as_of?.date, "2015-06-03");
  });

  test("of a functional type what the later document tells ends what the earlier one told, in any order of ingestion", async () => {
    const { owner } = use();
    const edge_types = ONTOLOGY.edge_types.map((type) => ({ ...type, functional: true }));
    const schema = { ontology: { ...ONTOLOGY, edge_types } };
    const { id } = await owner.succeed("createOntology", { body: { name: "One post", schema } });
    const letters = [
      {
        source_doc_id: "old",
        text: "Ilse Brandt works for Harrow Mills Ltd.",
        metadata: { date: "2014-03-09" },
      },
      { source_doc_id: "new", text: "2 May 2016\n\nIlse Brandt works for Nordvik Robotics Ltd." },
    ];
    for (const documents of [letters, letters.toReversed()]) {
      const body = { name: "One post", ontology_id: id };
      const params = { project_id: (await owner.succeed("createProject", { body })).project_id };
      for (const document of documents) await ingestAll(owner, params.project_id, [document]);
      const listed = async (as_of?: string) => {
        const query = as_of === undefined ? {} : { as_of };
        const { relationships } = await owner.succeed("listRelationships", { params, query });
        return relationships.map(({ source, type, target }) => `${source.name} ${type} ${target.name}`);
      };
      assert.deepEqual(await listed(), [SECOND]);
      assert.deepEqual(await listed("2016-06"), [SECOND]);
      // A month in which one ends and the other begins has both.
      assert.deepEqual((await listed("2016-05")).sort(), [FIRST, SECOND]);
      assert.deepEqual(await listed("2016-04-30"), [FIRST]);
      assert.deepEqual(await listed("2001"), [FIRST]);
      const found = await owner.succeed("listEntities", { params, query: { search: "ilse" } });
      const entity_id = found.entities[0]?.entity_id ?? "";
      const { history } = await owner.succeed("getEntity", { params: { ...params, entity_id } });
      assert.deepEqual(
        history.map(({ target, evidence }) => [target.name, evidence.length]),
        [["Harrow Mills Ltd", 1]],
      );
    }
  });

  test("a later letter that tells of another post is told beside the confirmation of the first one", async () => {
    const { owner, stranger } = use();
    const edge_types = ONTOLOGY.edge_types.map((type) => ({ ...type, functional: true }));
    const schema = { ontology: { ...ONTOLOGY, edge_types } };
    const { id } = await owner.succeed("createOntology", { body: { name: "Letters", schema } });
    const body = { name: "Letters", ontology_id: id };
    const params = { project_id: (await owner.succeed("createProject", { body })).project_id };
    const old = { source_doc_id: "old", text: "3 March 2014\n\nIlse Brandt works for Harrow Mills Ltd." };
    await ingestAll(owner, params.project_id, [old]);
    const confirmed = {
      kind: "confirm" as const,
      source: { type: "Person", name: "Ilse Brandt" },
      type: "WORKS_FOR",
      target: { type: "Company", name: "Harrow Mills Ltd" },
    };
    await owner.succeed("createCorrections", { params, body: { corrections: [confirmed] } });
    const listed = async () => {
      const { corrections } = await owner.succeed("listCorrections", { params });
      return corrections.map((each) => [each.chunks, each.later_chunks, each.conflicts]);
    };
    assert.deepEqual(await listed(), [[1, 0, 0]]);
    await ingestAll(owner, params.project_id, [
      { source_doc_id: "again", text: "1 April 2015\n\nIlse Brandt works for Harrow Mills Ltd." },
      { source_doc_id: "new", text: "2 May 2016\n\nIlse Brandt works for Nordvik Robotics Ltd." },
    ]);
    assert.deepEqual(await listed(), [[2, 1, 1]]);
    const { corrections } = await owner.succeed("listCorrections", { params });
    const one = { params: { ...params, correction_id: corrections[0]?.correction_id ?? "" } };
    const { passages, conflicts } = await owner.succeed("getCorrectionEvidence", one);
    assert.deepEqual(
      passages.map(({ source_doc_id, text }) => [source_doc_id, text]),
      [["again", "Ilse Brandt works for Harrow Mills Ltd."]],
    );
    assert.deepEqual(
      conflicts.map(({ kind, at, target, evidence }) => [
        kind,
        at,
        target.name,
        evidence.source_doc_id,
        evidence.text,
      ]),
      [
        [
          "other_target",
          "2016-05-02",
          "Nordvik Robotics Ltd",
          "new",
          "Ilse Brandt works for Nordvik Robotics Ltd.",
        ],
      ],
    );
    const theirs = await stranger.succeed("createProject", { body: { name: "Theirs" } });
    for (const correction_id of ["cor_none", one.params.correction_id]) {
      const params = { project_id: theirs.project_id, correction_id };
      assertFault(await stranger.endpoint("getCorrectionEvidence", { params }), 404, /Correction not found/);
    }
  });

  test("entities that have relationships of other times only are not listed, without a time all are", async () => {
    const { owner } = use();
    const params = { project_id };
    const listed = async (query: { readonly as_of?: string; readonly search?: string }) => {
      const { entities, total } = await owner.succeed("listEntities", { params, query });
      assert.equal(total, entities.length);
      return entities.map(({ name }) => name);
    };
    const all = await listed({});
    const firms = ["Harrow Mills Ltd", "Nordvik Robotics Ltd"];
    assert.deepEqual(
      await listed({ as_of: "1995-12-31" }),
      all.filter((name) => name !== firms[1]),
    );
    assert.deepEqual(
      await listed({ as_of: "2000" }),
      all.filter((name) => name !== firms[0]),
    );
    assert.deepEqual(await listed({ as_of: "2000", search: "ltd" }), [firms[1]]);
    await withConnection({ service: use(), key: await owner.readKey() }, async ({ succeed }) => {
      const { data } = await succeed("search_entities", { project_id, search: "ltd", as_of: "2000" });
      const { entities, total } = responses.entityList.loose().parse(data);
      assert.deepEqual([entities.map(({ name }) => name), total], [[firms[1]], 1]);
      const [person] = (await owner.succeed("listEntities", { params, query: { search: "ilse" } })).entities;
      const target = { project_id, entity_id: person?.entity_id ?? "", as_of: "2000" };
      const { relationships } = responses.entityDetail.parse((await succeed("get_entity", target)).data);
      assert.deepEqual(
        relationships.map(({ target: { name } }) => name),
        [firms[1]],
      );
    });
    const query = { as_of: "1995-12-31", limit: 1, offset: 1 };
    const page = await owner.succeed("listEntities", { params, query });
    assert.deepEqual(
      [page.entities.map(({ name }) => name), page.total],
      [all.filter((name) => name !== firms[1]).slice(1, 2), all.length - 1],
    );
  });

  test("what is no year, month or day is refused with what is expected", async () => {
    const { owner } = use();
    for (const as_of of ["today", "2001-13", "2001-02-30", "20010203", "0999", "9999-12-31"]) {
      const params = { project_id };
      const listed = await owner.endpoint("listRelationships", { params, query: { as_of } });
      assertFault(listed, 400, /as_of.*expected a year, month or day from 1000 to 2999 such as 2031/);
      const entities = await owner.endpoint("listEntities", { params, query: { as_of } });
      assertFault(entities, 400, /as_of.*expected a year, month or day from 1000 to 2999 such as 2031/);
      const asked = await owner.endpoint("query", { params, body: { query: "Who?", as_of } });
      assertFault(asked, 400, /as_of.*expected a year, month or day from 1000 to 2999 such as 2031/);
    }
  });

  test("without a time the summary quotes what holds now, and with one what held then", async () => {
    const { owner } = use();
    const hierarchy = [
      { level: 0, node_types: { Company: { description: "A business" }, Town: { description: "A town" } } },
    ];
    const edge = {
      ...{ name: "HEADQUARTERED_IN", source_types: ["Company"], target_types: ["Town"] },
      ...{ functional: true, properties: [] },
    };
    const schema = { ontology: { hierarchy, edge_types: [edge] } };
    const { id } = await owner.succeed("createOntology", { body: { name: "Offices", schema } });
    const made = await owner.succeed("createProject", { body: { name: "Offices", ontology_id: id } });
    const params = { project_id: made.project_id };
    await ingestAll(owner, made.project_id, [
      {
        ...{ source_doc_id: "early", metadata: { date: "2015-03-01" } },
        text: "Harrow Mills Ltd is headquartered in Hamburg. Dogs may come along.",
      },
      {
        ...{ source_doc_id: "late", metadata: { date: "2020-06-01" } },
        text: "After long talks and much work on the building, Harrow Mills Ltd is headquartered in Porto. It has a garden.",
      },
    ]);
    const ask = async (query: string, given: { as_of?: string; mode?: "static" | "dynamic" } = {}) => {
      const { results } = await owner.succeed("query", { params, body: { query, ...given } });
      return results.summary;
    };
    const question = "Where is Harrow Mills Ltd headquartered?";
    for (const mode of ["static", "dynamic"] as const) {
      const now = await ask(question, { mode });
      assert.ok(now.startsWith("After long talks") && !now.includes("Hamburg"), now);
      const then = await ask(question, { mode, as_of: "2016" });
      assert.ok(
        then.startsWith("Harrow Mills Ltd is headquartered in Hamburg") && !then.includes("Porto"),
        then,
      );
    }
    const past = await ask("Where was Harrow Mills Ltd headquartered?");
    assert.ok(past.includes("Hamburg"), past);
    await owner.succeed("deleteDocument", { params: { ...params, source_doc_id: "late" } });
    assert.ok((await ask(question)).startsWith("Harrow Mills Ltd is headquartered in Hamburg"));
  });
});
