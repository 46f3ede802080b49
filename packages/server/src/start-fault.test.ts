import assert from "node:assert/strict";
import { test } from "node:test";
import { translateOpenError, translateSqliteError } from "./adapters/database/sqlite-errors.ts";
import { startFault } from "./start-fault.ts";

const sqliteError = (errcode: number) => Object.assign(new Error("database or disk is full"), { errcode });

test("a start that a full disk refuses is not promised to go on by itself", () => {
  const full = sqliteError(13);
  const writeFault = sqliteError(778);
  const file = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const errors = [
    translateOpenError(full, "/data/knowledge.sqlite"),
    translateOpenError(writeFault, "/data/knowledge.sqlite"),
    translateSqliteError(full),
    file,
  ];
  for (const told of errors.map((error) => startFault(error))) {
    assert.match(told, /^The service could not start: .* Free some space; then start the service again\./);
    assert.doesNotMatch(told, /resumes/);
  }
});

test("a cause is told once", () => {
  const cause = new Error("refused");
  assert.equal(
    startFault(new Error("No server", { cause })),
    "The service could not start: No server (refused)",
  );
  assert.equal(startFault(new Error("refused", { cause })), "The service could not start: refused");
});

test("a command that is no start says nothing of one", () => {
  assert.equal(startFault(new Error("Only there"), "processes"), "Only there");
  const told = startFault(translateSqliteError(sqliteError(13)), "reset-link");
  assert.match(told, /Free some space; then try again\./);
  assert.doesNotMatch(told, /could not start|resumes/);
});
