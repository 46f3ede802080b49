/** A file for each database: together they take longer than a file may. */
import { describeKills } from "./kill-at-each.ts";

describeKills("sqlite", "after");
