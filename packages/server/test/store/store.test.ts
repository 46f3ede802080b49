import { describeStore } from "./store-suite.ts";

describeStore("sqlite", async () => null);
