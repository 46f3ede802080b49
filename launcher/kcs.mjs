#!/usr/bin/env node
/** `kcs`: the command line of the service, on a Node that can run it. */
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../packages/cli/src/main.ts", import.meta.url)));
await import("./launch.mjs");
