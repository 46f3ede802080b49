import { usePostgres } from "../support/postgres.ts";
import { describeStore } from "./store-suite.ts";

describeStore("postgres", usePostgres().create);
