import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { look } from "./support/look.ts";
import { fillCredentials, owner, setScene, setUpLink, signUp, signUpInPage } from "./support/scene.ts";

const scene = setScene({});

test("the link of the first start leads to an account, once", async () => {
  const page = await scene().open();
  await page.goto(setUpLink(scene()));
  await page.getByRole("heading", { name: "Set up your account" }).waitFor();
  await look(page, "set-up");
  await fillCredentials(page, { ...owner, password: "too short" });
  await page.getByRole("button", { name: "Save and sign in" }).click();
  await page.getByText("Too short: it needs at least 10 characters.").waitFor();
  assert.equal(await page.getByLabel("Password").getAttribute("type"), "password");
  await page.getByRole("button", { name: "Show the password" }).click();
  assert.equal(await page.getByLabel("Password").getAttribute("type"), "text");
  await look(page, "set-up-short");
  await page.getByRole("button", { name: "Hide the password" }).click();
  await fillCredentials(page, owner);
  await page.getByRole("button", { name: "Save and sign in" }).click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();

  const second = await scene().open();
  await second.goto(setUpLink(scene()));
  await fillCredentials(second, { ...owner, email: "somebody@mail.example" });
  await second.getByRole("button", { name: "Save and sign in" }).click();
  await second.getByRole("alert").waitFor();
  await look(second, "set-up-used");
  await second.getByRole("link", { name: "Sign in" }).click();
  await second.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("signing in leads back to where one wanted to go; a wrong password is told", async () => {
  const page = await scene().open();
  await page.goto(`${scene().url}/usage`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await look(page, "sign-in");
  await fillCredentials(page, { ...owner, password: "not my password" });
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Password").fill(owner.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/usage");
});

test("where it is open, people create accounts of their own, change their password and sign out", async () => {
  const page = await scene().open();
  const email = "ada@mail.example";
  await page.goto(`${scene().url}/sign-in`);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
  await look(page, "sign-up");
  await signUpInPage(page, scene(), email);

  await page.getByRole("link", { name: email }).click();
  await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
  await page.getByLabel("Current password").fill("a wrong one");
  await page.getByLabel("New password").fill("another long phrase");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByRole("alert").getByText("That is not your current password.").waitFor();
  await look(page, "account");
  await page.getByLabel("Current password").fill(owner.password);
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByText("The password has been changed.").waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await fillCredentials(page, { email, password: "another long phrase" });
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
});

test("a session that is over leads to the sign-in page, and from there back", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "grace@mail.example");
  await page.context().clearCookies();
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await fillCredentials(page, { ...owner, email: "grace@mail.example" });
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
});

test("a key is made, shown once, works, and is revoked after a question", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "edsger@mail.example");
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByText("No key yet").waitFor();
  await look(page, "api-keys-empty");
  await page.getByRole("button", { name: "Create a key" }).first().click();
  await page.getByLabel("Name").fill("nightly import");
  await page.getByRole("button", { name: /Expires/ }).click();
  await page.getByRole("option", { name: "In 30 days" }).click();
  await look(page, "api-key-new");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Copy it now").waitFor();
  await look(page, "api-key-shown");
  const key = (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
  const asked = () =>
    fetch(`${scene().url}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await asked()).status, 200);
  const shown = await page.getByRole("figure", { name: "Try it" }).locator("pre").textContent();
  assert.equal(
    shown,
    `curl ${scene().url}/api/v1/projects \\\n  -H "Authorization: Bearer ${key}"`,
    "a command that can be run as it stands",
  );
  const command = await promisify(execFile)("sh", ["-c", shown ?? ""]);
  assert.deepEqual(JSON.parse(command.stdout).projects, []);

  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("row", { name: /nightly import.* 20\d\d / }).waitFor();
  await look(page, "api-keys");
  assert.ok(!(await page.content()).includes(key), "it is shown once");
  await page.getByRole("button", { name: /Revoke/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("No key yet").waitFor();
  assert.equal((await asked()).status, 401);
});

test("an address of nothing says so, with a way back", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "alan@mail.example");
  await page.goto(`${scene().url}/projects/prj_nowhere`);
  await page.getByText("This does not exist any more").waitFor();
  await look(page, "project-gone");
  await page.goto(`${scene().url}/elsewhere/at/all`);
  await page.getByText("Nothing here").waitFor();
  await look(page, "not-found");
  await page.getByRole("link", { name: "Back to your projects" }).click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
});

test("whoever tries too many passwords is told to wait", async () => {
  const page = await scene().open();
  await page.goto(`${scene().url}/sign-in`);
  const told = page.getByText(/Too many attempts\. Try again in \d+ seconds/);
  await fillCredentials(page, { email: "nobody@mail.example", password: "guess" });
  for (let attempt = 0; attempt < 30 && (await told.count()) === 0; attempt++) {
    const answered = page.waitForResponse(/sign-in\/email/);
    await page.getByRole("button", { name: "Sign in" }).click();
    await answered;
    await page.getByRole("alert").waitFor();
  }
  await told.waitFor();
  await look(page, "sign-in-throttled");
});
