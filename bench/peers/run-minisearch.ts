/** Its keyword search in memory, saved as a file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importPeer, runAdapter, TOP } from "./adapter.ts";

/** What is used of it, as its documentation says. */
interface Index {
  addAll(documents: readonly object[]): void;
  search(text: string): readonly { readonly id: string }[];
}

type MiniSearch = new (options: { readonly fields: readonly string[] }) => Index;

await runAdapter("keywords", async (passages, store) => {
  const { default: MiniSearch } = (await importPeer("minisearch")) as { readonly default: MiniSearch };
  const index = new MiniSearch({ fields: ["title", "body"] });
  index.addAll(passages.map(({ id, title, body }) => ({ id, title, body })));
  await writeFile(join(store, "index.json"), JSON.stringify(index));
  return async ({ text }) =>
    index
      .search(text)
      .slice(0, TOP)
      .map(({ id }) => id);
});
