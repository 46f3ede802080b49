import { describeOnBoth } from "../support/service.ts";
import { fuzzOperations } from "./openapi-fuzz.ts";

const RUNS = 60;

describeOnBoth((setting) => fuzzOperations(setting, RUNS));
