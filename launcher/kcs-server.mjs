#!/usr/bin/env node
/** `kcs-server serve | migrate | reset-link | models`: starts the service with a Node version that can run it. */
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../packages/server/src/main.ts", import.meta.url)));
await import("./launch.mjs");
