/**
 * Writes `vectors.json`: what the bundled model gave for texts before it was run by the code that runs all local models.
 *
 *   git clone . ../before && git -C ../before checkout 1bed1a2 && (cd ../before && npm install)
 *   node packages/server/test/models/bundled/record-vectors.ts ../before
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describeTexts, type Embedding } from "./recorded.ts";

async function main([checkout]: readonly string[]): Promise<void> {
  if (checkout === undefined) throw new Error("Usage: node record-vectors.ts CHECKOUT");
  const sources = (path: string) => pathToFileURL(resolve(checkout, path)).href;
  // Of the other checkout, so that no type is known here.
  const { silenceRuntime } = (await import(sources("packages/minilm/src/silence-runtime.ts"))) as {
    silenceRuntime(): void;
  };
  silenceRuntime();
  const adapter = "packages/server/src/adapters/models/minilm-embedder.ts";
  const { openMiniLmEmbedder } = (await import(sources(adapter))) as {
    openMiniLmEmbedder(cacheDir: string): Promise<Embedding & { close(): Promise<void> }>;
  };
  const cacheDir = await mkdtemp(join(tmpdir(), "kcs-record-"));
  const model = await openMiniLmEmbedder(cacheDir);
  const texts = JSON.parse(
    await readFile(new URL("../fixtures/texts.json", import.meta.url), "utf8"),
  ) as string[];
  const rows = await describeTexts(model, texts);
  await writeFile(
    new URL("./vectors.json", import.meta.url),
    `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`,
  );
  await model.close();
  await rm(cacheDir, { recursive: true, force: true });
}

await main(process.argv.slice(2));
