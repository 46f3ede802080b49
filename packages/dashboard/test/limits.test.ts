import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./support/look.ts";
import { setScene, signUp } from "./support/scene.ts";
import { createProject, paste } from "./support/steps.ts";

const ingestPerMinute = 4;
const tokenLimit = 3_000;
const scene = setScene({
  KCS_INGEST_PER_MINUTE: String(ingestPerMinute),
  KCS_TOKEN_LIMIT: String(tokenLimit),
});

test("a job that fails says why and what to do, and so does the refusal of its repetition", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "tokens@mail.example");
  await createProject(page, "Too much", "Search");
  const text = Array.from({ length: 2_000 }, (_, at) => `Sentence ${at} of a long report on tides. `).join(
    "",
  );
  await paste(page, "long report", text);
  await page.getByText(/Token usage limit exceeded\. Wait until the next month/).waitFor();
  await look(page, "ingest-failed");
  await page.getByRole("link", { name: "Show the jobs" }).click();
  await page.getByRole("button", { name: "Retry long report" }).waitFor();
  await look(page, "jobs-failed");
  await page.getByRole("button", { name: "Retry long report" }).click();
  await page.getByRole("alert").filter({ hasText: "Token usage limit exceeded" }).waitFor();
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("meter", { name: "Tokens this month" }).waitFor();
  await look(page, "usage-limits");
});

test("who sends more often than the limit allows is told when to go on", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "often@mail.example");
  await createProject(page, "Fast", "Search");
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 20) {
    const answered = page.waitForResponse(/\/ingest\/batch/);
    await paste(page, `note ${statuses.length}`, "Short.");
    statuses.push((await answered).status());
  }
  await page
    .getByRole("alert")
    .filter({ hasText: /\d+ s(econds)?\b/ })
    .waitFor();
  assert.ok(statuses.length > ingestPerMinute, String(statuses));
  await look(page, "ingest-limited");
});
