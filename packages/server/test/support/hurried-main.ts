/** `main.ts serve` with deadlines of calls to PostgreSQL that a short test can wait for: about two seconds a call. */
import { composeService } from "../../src/compose.ts";
import { loadConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";

const config = loadConfig();
await composeService(config, {
  log: createLog(config.logLevel),
  print: (text) => void process.stdout.write(text),
  times: {
    connectMs: 1_000,
    turnMs: 1_000,
    watch: { suspiciousMs: 700, checkMs: 100, probeMs: 800, graceMs: 1_000 },
  },
});
