/** Runs a `*-process.ts` file: it receives one request and sends one result. */
import { fork } from "node:child_process";

/** @throws Error when the process ends without a result */
export function askProcess<Request extends object, Result>(file: URL, request: Request): Promise<Result> {
  const child = fork(file, {
    serialization: "advanced",
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // The process sends no other message.
    child.once("message", (result) => resolve(result as Result));
    child.once("exit", (code) => reject(new Error(`${file.pathname} ended with code ${code}.`)));
    child.send(request);
  });
}

/** The process's side: does the work of the one request, and ends. */
export function answerRequest<Request, Result>(work: (request: Request) => Promise<Result>): void {
  process.once("message", async (request: Request) => {
    const result = await work(request);
    process.send?.(result, () => process.disconnect?.());
  });
}
