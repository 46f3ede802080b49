import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { responses } from "@kcs/contract";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";
import { withConnection } from "./connect.ts";

describeOnEach((setting) => {
  describe("a service that lets agents correct graphs", () => {
    const use = useService(setting, { KCS_MCP_CORRECTIONS: "allow" });

    test("an agent corrects the graph of its own account alone", async () => {
      const { owner, home, stranger } = use();
      const { project_id } = await owner.succeed("createProject", { body: { name: "Mills" } });
      const theirs = await stranger.succeed("createProject", { body: { name: "Theirs" } });
      const rename = { kind: "rename", entity: { type: "Mill", name: "Larkspur" }, name: "Larkspur Mill" };
      await withConnection({ service: use(), key: home.ownerKey }, async ({ client, succeed, call }) => {
        const { tools } = await client.listTools();
        const tool = tools.find(({ name }) => name === "correct_graph");
        assert.equal(tool?.annotations?.readOnlyHint, false);
        const answer = await succeed("correct_graph", { project_id, corrections: [rename] });
        const { corrections } = responses.madeCorrections.parse(answer.data);
        const listed = await owner.succeed("listCorrections", { params: { project_id } });
        assert.equal(listed.corrections[0]?.correction_id, corrections[0]?.correction_id);
        assert.equal(tools.find(({ name }) => name === "list_corrections")?.annotations?.readOnlyHint, true);
        const reject = {
          ...{ kind: "reject", source: rename.entity, type: "IN", target: { type: "Town", name: "Vell" } },
          reason: "It burned down.",
        };
        await succeed("correct_graph", { project_id, corrections: [reject] });
        const first = await succeed("list_corrections", { project_id, limit: 1 });
        const page = first.data as { corrections: { kind: string }[]; total: number; next_offset: number };
        assert.deepEqual(
          [page.corrections.map(({ kind }) => kind), page.total, page.next_offset],
          [["reject"], 2, 1],
        );
        assert.match(
          first.text,
          /: reject "Larkspur" "IN" "Vell", changes 0 passages, because "It burned down\."/,
        );
        const correction_id = corrections[0]?.correction_id;
        for (const [tool, own] of [
          ["list_corrections", {}],
          ["undo_correction", { correction_id }],
        ] as const)
          assert.match((await call(tool, { project_id: theirs.project_id, ...own })).text, /access/);
        await succeed("undo_correction", { project_id, correction_id });
        assert.match((await call("undo_correction", { project_id, correction_id })).text, /not found/i);
        const left = await owner.succeed("listCorrections", { params: { project_id } });
        assert.deepEqual(
          left.corrections.map(({ kind }) => kind),
          ["reject"],
        );
        assert.match(
          (await call("correct_graph", { project_id: theirs.project_id, corrections: [rename] })).text,
          /access/,
        );
        assert.match(
          (await call("correct_graph", { project_id, corrections: [] })).text,
          /corrections: is empty/,
        );
      });
    });

    test("an agent adds a relationship with when it holds, and reads that in the list", async () => {
      const { owner, home } = use();
      const { project_id } = await owner.succeed("createProject", { body: { name: "Mills" } });
      const ends = { source: { type: "Mill", name: "Larkspur" }, target: { type: "Town", name: "Vell" } };
      const added = {
        kind: "add_relationship",
        type: "IN",
        ...ends,
        valid_from: "1871-03",
        valid_to: "1902",
      };
      await withConnection({ service: use(), key: home.ownerKey }, async ({ succeed, call }) => {
        const { data } = await succeed("correct_graph", { project_id, corrections: [added] });
        const [made] = responses.madeCorrections.parse(data).corrections;
        assert.ok(made?.kind === "add_relationship");
        assert.deepEqual([made.valid_from, made.valid_to], ["1871-03", "1902"]);
        const listed = await succeed("list_corrections", { project_id });
        assert.match(
          listed.text,
          /: add_relationship "Larkspur" "IN" "Vell" from 1871-03 until 1902, changes/,
        );
        const wrong = { ...added, valid_to: "1870" };
        assert.match(
          (await call("correct_graph", { project_id, corrections: [wrong] })).text,
          /valid_to: got "1870"/,
        );
      });
    });

    test("an agent is told which corrections change nothing now", async () => {
      const { owner, home } = use();
      const { project_id } = await owner.succeed("createProject", { body: { name: "Mills" } });
      await ingestAll(owner, project_id, [
        { source_doc_id: "mill", text: "Tarnholm Mills is headquartered in Vell." },
      ]);
      const { entities } = await owner.succeed("listEntities", { params: { project_id } });
      const mills = entities.find(({ name }) => name === "Tarnholm Mills");
      const rename = (entity: unknown, name: string) => ({ kind: "rename", entity, name });
      const present = rename({ type: mills?.type, name: mills?.name }, "Tarnholm Group");
      const absent = rename({ type: mills?.type, name: "Nobody" }, "Somebody");
      await withConnection({ service: use(), key: home.ownerKey }, async ({ succeed }) => {
        const textOf = async (...corrections: unknown[]) =>
          (await succeed("correct_graph", { project_id, corrections })).text;
        assert.match(await textOf(present), /^Corrected\. [^\n]*minutes\.\nrename: cor_\w+$/);
        assert.match(
          await textOf(absent),
          /^Kept\. Nothing in the graph has changed by now\. .* or the graph is still to follow.*\nrename: cor_\w+, changes no passage by now$/,
        );
        assert.match(
          await textOf(absent, rename({ type: mills?.type, name: "Tarnholm Group" }, "Tarnholm")),
          /^Corrected\. .* By now, 1 of the 2 change nothing\. .*\n.*passage by now\nrename: cor_\w+$/,
        );
        const beside = await Promise.all(
          Array.from({ length: 8 }, (_, at) =>
            textOf(rename({ type: mills?.type, name: `Nobody ${at}` }, "X")),
          ),
        );
        for (const text of beside) assert.match(text, /^Kept\. Nothing/);
      });
    });
  });
});
