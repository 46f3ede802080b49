#!/usr/bin/env node
/** `kcs`: starts the command line with a Node version that can run it. */
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../packages/cli/src/main.ts", import.meta.url)));
await import("./launch.mjs");
