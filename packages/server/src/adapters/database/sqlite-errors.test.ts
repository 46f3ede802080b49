import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailableError } from "../../ports/store.ts";
import { translateSqliteError } from "./sqlite-errors.ts";

const IOERR_READ = 266;
const IOERR_WRITE = 778;
const IOERR_FSYNC = 1034;
const IOERR_SHMSIZE = 4874;

test("a write that fails, as over a quota, is told as a disk that takes no more data; a read that fails is not", () => {
  const reasonOf = (errcode: number) => {
    const error = translateSqliteError(Object.assign(new Error("disk I/O error"), { errcode }));
    assert.ok(error instanceof StoreUnavailableError);
    return error.reason;
  };
  for (const code of [IOERR_WRITE, IOERR_FSYNC, IOERR_SHMSIZE]) assert.equal(reasonOf(code), "disk_full");
  assert.equal(reasonOf(IOERR_READ), "io_error");
});
