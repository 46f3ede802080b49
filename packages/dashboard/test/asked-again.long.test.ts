import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { look } from "./support/look.ts";
import { openProject, post, setScene } from "./support/scene.ts";

const scene = setScene();
const question = "Where was Odile Brandt born?";

test("asking asks again after a change; an answer that is opened from the list says that it is older", async () => {
  const page = await scene().open();
  await openProject(page, scene(), {
    email: "again@mail.example",
    documents: [
      { source_doc_id: "founder", text: "Odile Brandt kept bees. Odile Brandt was born in Porto." },
    ],
    tab: "ask",
  });
  const answer = page.getByRole("region", { name: "Answer" });
  await ask(page, question);
  await answer.getByText(/Porto/).waitFor();
  await ask(page, "What did Odile Brandt keep?");
  await answer.getByText(/bees/).waitFor();
  await replace(page, "founder", "Odile Brandt kept bees. Odile Brandt was born in Leiria.");

  await page.getByRole("link", { name: question }).click();
  await answer.getByText(/Porto/).waitFor();
  await page.getByText(/^Answered .*\. The documents or the graph have changed since\.$/).waitFor();
  await look(page, "ask-outdated");
  await page.goBack();
  await answer.getByText(/bees/).waitFor();
  await ask(page, question);
  await answer.getByText(/Leiria/).waitFor();
  assert.equal(await page.getByText("have changed since").count(), 0);
});

test("an answer that quotes what was rejected says so, and a relationship has the sentence of the graph", async () => {
  const page = await scene().open({ permissions: ["clipboard-read", "clipboard-write"] });
  const decoy = "The home town that Odile Brandt left for Porto stays with her.";
  await openProject(page, scene(), {
    email: "rejected@mail.example",
    documents: [{ source_doc_id: "founder", text: `${decoy} Odile Brandt was born in Porto.` }],
    tab: "ask",
  });
  const graph = page.getByRole("complementary", { name: "From the graph" });
  await ask(page, question);
  await graph.getByText("Odile Brandt was born in Porto.").waitFor();
  assert.equal(await graph.getByText(decoy).count(), 0);

  const born = {
    ...{ kind: "reject", type: "BORN_IN" },
    source: { type: "Person", name: "Odile Brandt" },
    target: { type: "Location", name: "Porto" },
  };
  await post(page, scene().url, `${projectPath(page)}/corrections`, { corrections: [born] });
  await page.reload();
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByText("Rejected: Odile Brandt born in Porto").waitFor();
  assert.equal(await answer.getByRole("heading", { name: "Answer", exact: true }).count(), 0);
  assert.match((await answer.textContent()) ?? "", /^You rejected this/, "before the sentences");
  await look(page, "ask-rejected");
  const told = page.getByRole("status").filter({ hasText: "What the documents say" });
  assert.match(
    (await told.textContent()) ?? "",
    /^You rejected this\. The documents still say it\. Rejected: Odile Brandt born in Porto\. What the documents say\. /,
  );
  await answer.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("menuitem", { name: "Answer as Markdown, with sources" }).click();
  await answer.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(
    await page.evaluate<string>("navigator.clipboard.readText()"),
    /> \*\*You rejected this\. The documents still say it\.\*\*\n>\n> Rejected: Odile Brandt born in Porto\n\n\*\*What the documents say\*\*/,
  );
});

function projectPath(page: Page): string {
  return `/api/v1/projects/${new URL(page.url()).pathname.split("/")[2]}`;
}

async function replace(page: Page, id: string, text: string): Promise<void> {
  await post(page, scene().url, `${projectPath(page)}/ingest`, { source_doc_id: id, text });
  await waitFor("the end of all jobs", async () => {
    const headers = { origin: scene().url, "sec-fetch-site": "same-origin" };
    const listed = await page.context().request.get(`${scene().url}${projectPath(page)}/jobs`, { headers });
    const { jobs } = await listed.json();
    return jobs.every(({ status }: { status: string }) => status === "completed") ? true : null;
  });
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Question" }).fill(text);
  await page.keyboard.press("Enter");
}

test("a relationship of an answer says that a person has confirmed or added it", async () => {
  const page = await scene().open();
  const documents = [{ source_doc_id: "life", text: "Agnes Thorley was born in Whitby." }];
  await openProject(page, scene(), { email: "marked@mail.example", documents, tab: "ask" });
  const path = projectPath(page);
  const fact = {
    ...{ source: { type: "Person", name: "Agnes Thorley" }, type: "BORN_IN" },
    target: { type: "Location", name: "Whitby" },
  };
  const graph = page.getByRole("complementary", { name: "From the graph" });
  await ask(page, "Where was Agnes Thorley born?");
  await graph.locator("blockquote").first().waitFor();
  assert.equal(await graph.getByText(/^(?:Confirmed|Added)/).count(), 0);

  const { corrections } = await post(page, scene().url, `${path}/corrections`, {
    corrections: [{ kind: "confirm", ...fact }],
  });
  await page.reload();
  await graph.getByText("Confirmed", { exact: true }).waitFor();
  await graph.locator("blockquote").first().waitFor();
  await look(page, "ask-confirmed");
  const headers = { origin: scene().url, "sec-fetch-site": "same-origin" };
  await page
    .context()
    .request.delete(`${scene().url}${path}/corrections/${corrections?.[0]?.correction_id}`, { headers });
  await post(page, scene().url, `${path}/corrections`, {
    corrections: [{ kind: "add_relationship", ...fact }],
  });
  await page.reload();
  await graph.getByText("Added by hand", { exact: true }).waitFor();
});
