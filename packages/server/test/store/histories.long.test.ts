import { usePostgres } from "../support/postgres.ts";
import { describeHistories } from "./store-suite.ts";

const { create } = usePostgres();
describeHistories("sqlite", async () => null, { model: 60, others: 20 });
// A round trip to a server costs ten times one to a thread.
describeHistories("postgres", create, { model: 12, others: 6 });
