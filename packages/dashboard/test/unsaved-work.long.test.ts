import assert from "node:assert/strict";
import { test } from "node:test";
import { completeSignUp, fillCredentials, openProject, owner, setScene, signUp } from "./support/scene.ts";
import { addType, openTab } from "./support/steps.ts";

const scene = setScene();

test("a text that was pasted and a question that was asked when the session ended are not lost", async () => {
  const page = await scene().open();
  const email = "radia@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, tab: "ingest" });
  const signInAgain = async () => {
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await fillCredentials(page, { ...owner, email });
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await page.getByRole("tab", { name: "Paste a text" }).click();
  await page.getByLabel("Name").fill("tides");
  await page.getByLabel("Text", { exact: true }).fill("The tide turns at noon.");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Add the text" }).click();
  await signInAgain();
  await page.getByRole("button", { name: "Add the text" }).click();
  await page.getByText("Ready.").waitFor();

  await openTab(page, "Ask");
  await page.getByRole("textbox", { name: "Question" }).fill("When does the tide turn?");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await signInAgain();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("region", { name: "Answer" }).getByText("The tide turns at noon.").waitFor();
});

test("what was written is still there for who signs in again, and for nobody else", async () => {
  const page = await scene().open();
  const email = "over@mail.example";
  await signUp(page, scene(), email);
  await page.getByRole("link", { name: "Ontologies" }).click();
  await page.getByRole("link", { name: "New ontology" }).click();
  await page.getByLabel("Name").fill("Buoys");
  await page.context().clearCookies();
  await addType(page, "Buoy");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await fillCredentials(page, { ...owner, email });
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Buoy", exact: true }).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Buoys");

  await page.context().clearCookies();
  await addType(page, "Quay");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByRole("link", { name: "Create an account" }).click();
  // The sign-in page has fields of the same names.
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
  await completeSignUp(page, "another-author@mail.example");
  await page.getByRole("link", { name: "Ontologies" }).click();
  await page.getByRole("link", { name: "New ontology" }).click();
  assert.equal(await page.getByLabel("Name").inputValue(), "");
});
