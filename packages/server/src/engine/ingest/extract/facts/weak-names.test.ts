import assert from "node:assert/strict";
import { test } from "node:test";
import { UNTYPED } from "../../../../domain/graph.ts";
import { testPassage } from "./test-sentences.ts";
import { innerCapitals, isWeakName } from "./weak-names.ts";
