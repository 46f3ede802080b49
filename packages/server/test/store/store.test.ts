import { describeStore } from "./store-suite.ts";

// More random histories run in histories.long.test.ts.
describeStore("sqlite", async () => null, { runs: { model: 4, others: 2 } });
