/** A reporter for node:test that sends each finished test to the test command. */
import type { run } from "node:test";
import { describeError, type TestResult } from "./file-report.ts";
import type { FromLane } from "./lane-messages.ts";

type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;

// node:test takes a reporter from the default export only.
// biome-ignore lint/style/noDefaultExport: see above
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    // An error that was thrown after its test had ended belongs to no test; it is shown as output of the process.
    if (event.type === "test:diagnostic" && event.data.message.startsWith("Error:")) {
      yield `${event.data.message}\n`;
    }
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    send({ kind: "result", result: toResult(event) });
    if (event.data.nesting === 0) send({ kind: "done" });
  }
}

function send(message: FromLane): void {
  process.send?.(message);
}

function toResult(event: Extract<TestEvent, { type: "test:pass" | "test:fail" }>): TestResult {
  const { name, nesting, skip, todo } = event.data;
  const isSuite = event.data.details.type === "suite";
  const common = { name, nesting, isSuite, error: null };
  if (skip !== undefined && skip !== false) return { ...common, outcome: "skipped" };
  if (todo !== undefined && todo !== false) return { ...common, outcome: "todo" };
  if (event.type === "test:pass") return { ...common, outcome: "passed" };
  return { ...common, outcome: "failed", error: describeError(event.data.details.error) };
}
