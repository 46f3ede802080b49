import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyRequest } from "fastify";
import { errors } from "../domain/errors.ts";
import { StoreUnavailableError } from "../ports/store.ts";
import { createErrorReader } from "./errors.ts";

const ignore = () => true;
const readError = createErrorReader({ debug: ignore, info: ignore, warn: ignore, error: ignore });
const request = { id: "1", routeOptions: { url: "/" } } as FastifyRequest; // What is read of it.

test("a deletion that an outage of the database fails keeps its status, and says when to try again", () => {
  const outage = new StoreUnavailableError("connection_lost", "The server is away.", null);
  const answers = [outage, new Error("a bad sector")].map((cause) =>
    readError(errors.deleteFailed(cause.message, cause), request),
  );
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers]),
    [
      [500, { "retry-after": 5 }],
      [500, {}],
    ],
  );
});
