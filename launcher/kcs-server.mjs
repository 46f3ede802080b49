#!/usr/bin/env node
/** `kcs-server serve | migrate | reset-link`: the service's command, on a Node that can run it. */
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../packages/server/src/main.ts", import.meta.url)));
await import("./launch.mjs");
