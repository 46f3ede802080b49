import { test } from "node:test";
import { startPostgres } from "../../../../scripts/test/postgres-server.ts";
import { ENDURE_LIMIT_MS, endure } from "../support/endure.ts";

test("nothing is lost or doubled, nothing fails that another can do, and every call is answered in time", {
  timeout: ENDURE_LIMIT_MS,
}, async (context) => {
  const postgres = await startPostgres({ durable: true });
  context.after(() => postgres.stop());
  await endure(postgres.url, postgres);
});
