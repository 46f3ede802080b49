/** How often a question to a project with a graph waits for PostgreSQL. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startCountingProxy, type Traffic } from "../support/counting-proxy.ts";
import { ingestAll } from "../support/ingestion.ts";
import { createGraphProject } from "../support/outages.ts";
import { usePostgres } from "../support/postgres.ts";
import { postgresOf, withHome, withService } from "../support/service.ts";

const setting = postgresOf(usePostgres());
const SHIPS = ["Marlin", "Heron", "Egret"];
const QUESTION = "Who founded the Marlin Works?";
/** Now and then a process also notes that it runs. */
const ASKED = 4;
/** The beginnings and ends of four snapshots among them. */
const MOST_STATEMENTS = 30;
/** A snapshot begins with its first statement. Some that could wait together do not: 25 to 28 were seen, and 39 before. */
const MOST_ROUND_TRIPS = 32;

test("a warm question to a graph takes few round trips", { timeout: 300_000 }, () =>
  withHome(setting, async (home) => {
    const proxy = await startCountingProxy(home.databaseUrl);
    let projectId = "";
    await withService({ home }, async ({ owner }) => {
      projectId = await createGraphProject(owner);
      await ingestAll(
        owner,
        projectId,
        SHIPS.map((ship, at) => ({
          source_doc_id: ship,
          text: `${ship} Works\n\nThe ${ship} Works is a shipyard that was founded by Tove Lind in 18${40 + at}. It is in Kestrel Bay.`,
        })),
      );
    });
    // Without the worker, which looks for jobs.
    const throughProxy = { ...home, databaseUrl: proxy.url };
    await withService({ home: throughProxy, env: { KCS_ROLE: "api" } }, async ({ owner }) => {
      const ask = () =>
        owner.succeed("query", { params: { project_id: projectId }, body: { query: QUESTION } });
      const cold = await ask();
      assert.ok(cold.results.relationships.length > 0, "The question is answered from the graph.");
      const counted: Traffic[] = [];
      for (let at = 0; at < ASKED; at++) counted.push(await proxy.count(ask));
      const statements = Math.min(...counted.map((each) => each.statements.length));
      const roundTrips = Math.min(...counted.map((each) => each.roundTrips));
      assert.ok(statements <= MOST_STATEMENTS, `${statements} statements`);
      assert.ok(roundTrips <= MOST_ROUND_TRIPS, `${roundTrips} round trips`);
    });
    proxy.close();
  }),
);
