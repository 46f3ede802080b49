/** The store's behaviours with the bytes of segments in a folder and in a bucket, on both databases. */
import { usePostgres } from "../support/postgres.ts";
import { describeOutsideStores } from "./outside-suites.ts";

const databases = usePostgres();
describeOutsideStores("sqlite", async () => null);
describeOutsideStores("postgres", () => databases.create());
