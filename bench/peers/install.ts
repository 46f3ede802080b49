/** Installs each peer into a folder of its own. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, installNpm, installPython, pythonCommand, reasonOf } from "../install-packages.ts";
import type { Peer } from "./peer.ts";
import { NOWHERE } from "./peers.ts";

const folderOf = (peer: Peer) => cacheFolder("kcs-peers", peer.package.replaceAll("/", "+"));
const environmentOf = (peer: Peer) => join(folderOf(peer), "venv");

/** Names what the folder has, so that pip is not asked for half a minute at each run. */
const markOf = (peer: Peer) => join(folderOf(peer), "installed.json");

/** null when the peer is installed; otherwise why it is not, in one line. */
export async function install(peer: Peer): Promise<string | null> {
  const { from, version, also = [], without = [] } = peer;
  if (from === "nowhere") return NOWHERE;
  const separator = from === "pypi" ? "==" : "@";
  const requirements = [`${peer.package}${separator}${version}`, ...also];
  const wanted = JSON.stringify({ requirements, without });
  if ((await readFile(markOf(peer), "utf8").catch(() => "")) === wanted) return null;
  try {
    if (from === "pypi") await installPython(environmentOf(peer), requirements, without);
    else await installNpm(folderOf(peer), requirements);
    await writeFile(markOf(peer), wanted);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The command that runs the peer's adapter. */
export function commandOf(peer: Peer): readonly [string, string] {
  const adapter = join(import.meta.dirname, peer.adapter);
  const program = peer.from === "pypi" ? pythonCommand(environmentOf(peer), "python") : process.execPath;
  return [program, adapter];
}

/** Where Node finds the package of a peer that was installed from npm. */
export const modulesOf = (peer: Peer) => join(folderOf(peer), "node_modules");
