import { describeOutsideLife } from "./outside-life.ts";

describeOutsideLife("SQLite", async () => null);
