/**
 * Loaded with `--import`: the database thread whose role is TEST_ENDING_ROLE ends without an error, as soon as the file
 * TEST_ENDING_FILE exists.
 */
import { existsSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";

const file = process.env["TEST_ENDING_FILE"] ?? "";
if (!isMainThread && workerData?.role === process.env["TEST_ENDING_ROLE"]) {
  const endIfTold = () => {
    if (existsSync(file)) process.exit(0); // Of this thread.
  };
  endIfTold();
  setInterval(endIfTold, 10);
}
