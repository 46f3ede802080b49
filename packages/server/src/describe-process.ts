/** What this process tells the others on its database. */
import { randomBytes, scrypt } from "node:crypto";
import { hostname } from "node:os";
import { promisify } from "node:util";
import type { Config } from "./config.ts";
import { ROLES, type ServiceProcess } from "./domain/service-process.ts";
import { SERVER } from "./mcp/server.ts";
import { configuredSpaces } from "./open-embedders.ts";

const MARK_BYTES = 8;

export async function describeProcess(config: Config, secret: string): Promise<ServiceProcess> {
  return {
    processId: randomBytes(8).toString("hex"),
    place: `${hostname()}:${config.dataDir}`,
    version: SERVER.version,
    roles: ROLES[config.role],
    spaces: configuredSpaces(config),
    readsWithModel: config.languageModel !== null || config.extraction !== null,
    maxTextBytes: config.maxTextBytes,
    secretMark: await markOf(secret),
    startedAt: Date.now(),
  };
}

/** Equal for equal secrets, so one salt; slow, so that whoever reads it cannot try many. */
async function markOf(secret: string): Promise<string> {
  const hash = await promisify<string, string, number, Buffer>(scrypt)(
    secret,
    "mark of a secret",
    MARK_BYTES,
  );
  return hash.toString("hex");
}
