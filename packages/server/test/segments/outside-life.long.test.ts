import { usePostgres } from "../support/postgres.ts";
import { describeOutsideLife } from "./outside-life.ts";

const databases = usePostgres();
describeOutsideLife("PostgreSQL", () => databases.create());
describeOutsideLife("SQLite", async () => null);
