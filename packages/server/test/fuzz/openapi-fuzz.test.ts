import { describeOnEach } from "../support/service.ts";
import { fuzzOperations } from "./openapi-fuzz.ts";

/** With about 40 operations, several hundred requests; the long tests send several thousand. */
const RUNS = 12;

describeOnEach((setting) => fuzzOperations(setting, RUNS));
