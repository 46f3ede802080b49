/**
 * Loaded with `--import`: kills the process at one of its commits that change something. The file TEST_KILL_FILE says at
 * which, counted from 1 from when the file exists: `3 before` with all statements of the third transaction done, `3 after` with its result not yet told.
 */
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

const file = process.env["TEST_KILL_FILE"] ?? "";
let count = 0;

/** Whether to be killed at this commit, and when. */
function order(): "before" | "after" | null {
  if (!existsSync(file)) return null;
  const [at = "", when] = readFileSync(file, "utf8").split(" ");
  count += 1;
  return Number(at) === count && (when === "before" || when === "after") ? when : null;
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
  for (;;); // Nothing may happen until the signal comes.
}

/** The number of rows that a connection had changed when its transaction began; connections of readers begin in another way. */
const changed = new WeakMap<DatabaseSync, unknown>();
const exec = DatabaseSync.prototype.exec;
const countChanges = (connection: DatabaseSync) =>
  connection.prepare("select total_changes() as rows").get()?.["rows"];
DatabaseSync.prototype.exec = function (sql) {
  const isWrite = sql === "commit" && changed.has(this) && countChanges(this) !== changed.get(this);
  const when = isWrite ? order() : null;
  if (when === "before") die();
  exec.call(this, sql);
  if (when === "after") die();
  if (sql === "begin immediate") changed.set(this, countChanges(this));
};

const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<{ rows: { xid: unknown }[] }>;
async function commit(this: pg.Client, args: unknown[]) {
  // Without a number, the transaction has neither changed nor locked a row.
  const { rows } = await query.call(this, "select pg_current_xact_id_if_assigned() as xid");
  const when = rows[0]?.xid === null ? null : order();
  if (when === "before") die();
  const result = await query.apply(this, args);
  if (when === "after") die();
  return result;
}
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  return args[0] === "commit" ? commit.call(this, args) : query.apply(this, args);
} as typeof pg.Client.prototype.query;
