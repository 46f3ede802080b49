/** Regular expressions that are built from parts while their modules are loaded. */
import { fileURLToPath, pathToFileURL } from "node:url";

/** By `path:line` of the call. Loads the modules, which has no other effect. */
export async function recordBuilt(paths: Iterable<string>): Promise<ReadonlyMap<string, RegExp>> {
  const built = new Map<string, RegExp>();
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const regex: RegExp = Reflect.construct(target, args, newTarget);
      const caller = new Error().stack?.split("\n")[2] ?? "";
      const [, url, line] = /(file:.+):(\d+):\d+/.exec(caller) ?? [];
      if (url !== undefined) built.set(`${fileURLToPath(url)}:${line}`, regex);
      return regex;
    },
  });
  for (const path of paths) await import(pathToFileURL(path).href);
  globalThis.RegExp = original;
  return built;
}
