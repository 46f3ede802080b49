/** Loaded before a measurement (`node --import`): the modules of one part of the reader are loaded without it. See ablations.ts. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { ablations } from "./ablation-parts.ts";

const name = process.env["EVAL_WITHOUT"] ?? "";
/** Several parts at once: "one + other". */
const parts = name === "" ? [] : name.split(" + ");
const changes = parts.flatMap((part) => ablations[part]?.changes ?? unknown(part));

function unknown(part: string): never {
  throw new Error(`No part is named ${part}`);
}

registerHooks({
  load(url, context, next) {
    const own = changes.filter(({ file }) => url.endsWith(`/extract/${file}`));
    if (own.length === 0) return next(url, context);
    const source = own.reduce(
      (text, { find, put }) => replaceOnce(text, { find, put, url }),
      readFileSync(fileURLToPath(url), "utf8"),
    );
    return { format: "module-typescript", source, shortCircuit: true };
  },
});

/** So that a part that was renamed is not measured as one that does nothing. */
function replaceOnce(text: string, { find, put, url }: { find: RegExp; put: string; url: string }): string {
  const count = text.match(new RegExp(find, "g"))?.length ?? 0;
  if (count !== 1) throw new Error(`${url}: ${find} is there ${count} times`);
  return text.replace(find, put);
}
