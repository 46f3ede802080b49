/** Opens the bundled model of a checkout and embeds texts with it: start and memory. Arguments: CHECKOUT MODEL_DIR TEXTS */
import { synthesizeChunk } from "../../packages/server/src/measure-model.ts";
import { readMemory } from "../process-stats.ts";
import { cpuMs, loadCheckout } from "./open-checkout.ts";

const [checkout = "", modelDir = "", texts = "0"] = process.argv.slice(2);
const openMiniLmEmbedder = await loadCheckout(checkout);
const opening = process.cpuUsage();
const model = await openMiniLmEmbedder(modelDir);
await model.embed("one");
const figures = { openCpuMs: cpuMs(opening), startCpuMs: cpuMs() };
for (let at = 0; at < Number(texts); at++) await model.embed(synthesizeChunk(at));
const peakRssMiB = ((await readMemory(process.pid))?.peakRssBytes ?? 0) / 1024 ** 2;
await model.close();
process.stdout.write(JSON.stringify({ ...figures, peakRssMiB }));
