import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { responses } from "@kcs/contract";
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
  });
});
