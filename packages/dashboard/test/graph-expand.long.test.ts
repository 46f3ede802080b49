import { test } from "node:test";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

test("an entity that is expanded although all of its neighbours are drawn says so, to screen readers, too", async () => {
  const page = await scene().open();
  const documents = [
    { source_doc_id: "one", text: "Maria Gonzalez was born in Porto. Tomas Vell was born in Porto." },
    { source_doc_id: "two", text: "Maria Gonzalez founded Nordvik Robotics." },
  ];
  await openProject(page, scene(), { email: "expand@mail.example", documents, tab: "graph" });
  await page.goto(`${page.url()}?find=Maria+Gonzalez`);
  const panel = page.getByRole("complementary", { name: "Selection" });
  const words = page.getByRole("status").getByText("All neighbours of Nordvik Robotics are drawn already.");
  await panel.getByRole("button", { name: "Expand Nordvik Robotics" }).click();
  await words.waitFor();
  await look(page, "graph-nothing-to-expand");
  await panel.getByRole("button", { name: "Expand Porto" }).click();
  await page.getByText("4 entities").or(page.getByText("Tomas Vell")).first().waitFor();
  await words.waitFor({ state: "detached" });
  await panel.getByRole("button", { name: "Collapse Porto" }).click();
  await panel.getByRole("button", { name: "Collapse Nordvik Robotics" }).click();
  await words.waitFor({ state: "detached" });
});
