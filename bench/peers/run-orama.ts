/** Its hybrid search in memory, saved as a file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importPeer, runAdapter, TOP } from "./adapter.ts";

/** What is used of it, as its documentation says. */
interface Orama {
  create(options: { schema: Readonly<Record<string, string>> }): unknown;
  insertMultiple(database: unknown, documents: readonly object[]): Promise<unknown>;
  search(database: unknown, params: object): Promise<{ readonly hits: readonly { readonly id: string }[] }>;
  save(database: unknown): unknown;
}

await runAdapter("hybrid", async (passages, store) => {
  const { create, insertMultiple, search, save } = (await importPeer("@orama/orama")) as Orama;
  const database = create({ schema: { title: "string", body: "string", vector: "vector[384]" } });
  const documents = passages.map(({ id, title, body, vector }) => ({ id, title, body, vector }));
  await insertMultiple(database, documents);
  await writeFile(join(store, "index.json"), JSON.stringify(save(database)));
  return async ({ text, vector }) => {
    const near = { value: vector, property: "vector" };
    const { hits } = await search(database, {
      mode: "hybrid",
      term: text,
      vector: near,
      similarity: 0,
      limit: TOP,
    });
    return hits.map(({ id }) => id);
  };
});
