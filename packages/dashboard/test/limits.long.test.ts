import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { openTab, paste } from "./support/steps.ts";

const ingestPerMinute = 4;
const tokenLimit = 3_000;
const scene = setScene({
  KCS_INGEST_PER_MINUTE: String(ingestPerMinute),
  KCS_TOKEN_LIMIT: String(tokenLimit),
});

test("a job that fails says why and what to do, and so does the refusal of its repetition", async () => {
  const page = await scene().open();
  const email = "tokens@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, tab: "ingest" });
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
  await page.getByRole("table", { name: "Jobs" }).getByRole("link", { name: "long report" }).waitFor();
  await page.getByRole("button", { name: "Remove long report" }).click();
  await page.getByText("The document was deleted.").waitFor();
  const failures = page.getByRole("region", { name: "Failures" });
  assert.equal(await failures.count(), 0, "it waits only for its undo to pass");
  assert.equal(await page.getByRole("button", { name: "Retry long report" }).count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Retry long report" }).waitFor();
  await failures.getByRole("link", { name: "long report" }).waitFor();
  await openTab(page, "Documents");
  await page.getByRole("table", { name: "Documents" }).waitFor();
  await page.getByRole("radio", { name: "Failed" }).click();
  await page.getByRole("button", { name: "Retry long report" }).waitFor();
  await page.getByRole("checkbox", { name: "Select long report" }).check({ force: true });
  await page.getByRole("button", { name: "Ingest 1 failed again" }).click();
  await page
    .getByRole("region", { name: "Notifications" })
    .getByText(/Token usage limit exceeded/)
    .waitFor();
  await look(page, "documents-failed");
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("meter", { name: "Tokens this month" }).waitFor();
  await look(page, "usage-limits");
  await page.goBack();
  await page.getByRole("link", { name: "long report" }).click();
  await page.getByRole("link", { name: "Send it again" }).click();
  assert.equal(await page.getByRole("textbox", { name: "Name" }).inputValue(), "long report");
});

test("who sends more often than the limit allows is told when to go on", async () => {
  const page = await scene().open();
  const email = "often@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, tab: "ingest" });
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
