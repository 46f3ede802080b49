import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailableError } from "../../ports/store.ts";
import { translateSqliteError } from "./sqlite-errors.ts";

const IOERR_READ = 266;
const IOERR_WRITE = 778;
const IOERR_FSYNC = 1034;
const IOERR_SHMSIZE = 4874;
const CORRUPT_INDEX = 779;
const NOT_A_DATABASE = 26;

function reasonOf(errcode: number): string {
  const error = translateSqliteError(Object.assign(new Error("disk I/O error"), { errcode }));
  assert.ok(error instanceof StoreUnavailableError);
  return error.reason;
}

test("a write that fails, as over a quota, is told as a disk that takes no more data; a read that fails is not", () => {
  for (const code of [IOERR_WRITE, IOERR_FSYNC, IOERR_SHMSIZE]) assert.equal(reasonOf(code), "disk_full");
  assert.equal(reasonOf(IOERR_READ), "io_error");
});

test("damage is told apart from a read that may succeed later", () => {
  for (const code of [CORRUPT_INDEX, NOT_A_DATABASE]) assert.equal(reasonOf(code), "damaged");
});
