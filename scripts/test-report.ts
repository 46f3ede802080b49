/** What a run of the tests is told as: one line for a file that passes, everything about one that fails. */
import type { run } from "node:test";
import { inspect } from "node:util";

export type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;

export interface FileResult {
  /** Path of the file relative to the repository. */
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Skipped and todo tests; they make the run fail, because a gate that is not there reads like one that held. */
  readonly skipped: number;
  /** A paragraph per failure: the test's full name, then the error with its difference and stack. */
  readonly failures: readonly string[];
  /** The end of what the file wrote to its standard output and error. */
  readonly output: string;
  readonly durationMs: number;
}

const outputLimit = 64 * 1024;

export interface FileReport {
  add(event: TestEvent): void;
  end(): FileResult;
}

/** Collects the events of a run of one file. `file` is its absolute path, `name` what the reader sees. */
export function createFileReport(file: string, name: string): FileReport {
  const startedAt = performance.now();
  const failures: string[] = [];
  const path: string[] = [];
  let counts = { passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };
  let output = "";
  let isEmpty = false;

  const add = (event: TestEvent) => {
    if (event.type === "test:start") {
      path.splice(event.data.nesting, Infinity, event.data.name);
    } else if (event.type === "test:stdout" || event.type === "test:stderr") {
      output = (output + event.data.message).slice(-outputLimit);
    } else if (event.type === "test:pass") {
      // A file without tests is reported as one test that bears the file's name.
      if (event.data.name === file) isEmpty = true;
      if (event.data.skip !== undefined) failures.push(`${testName(event.data)}\nis skipped`);
      else if (event.data.todo !== undefined) failures.push(`${testName(event.data)}\nis a todo`);
    } else if (event.type === "test:fail") {
      const { error } = event.data.details;
      if (!isOfSubtests(error)) failures.push(`${testName(event.data)}\n${describeError(error)}`);
    } else if (event.type === "test:summary" && event.data.file === undefined) {
      counts = event.data.counts;
    }
  };
  const testName = (test: { readonly name: string; readonly nesting: number }) =>
    test.name === file ? "the file itself" : [...path.slice(0, test.nesting), test.name].join(" > ");
  const end = () => ({
    name,
    passed: isEmpty ? 0 : counts.passed,
    failed: isEmpty ? 1 : counts.failed + counts.cancelled,
    skipped: counts.skipped + counts.todo,
    failures: isEmpty ? ["the file itself\nholds no test"] : failures,
    output,
    durationMs: performance.now() - startedAt,
  });
  return { add, end };
}

/** A suite fails because of its tests, which have been told already. */
function isOfSubtests(error: Error): boolean {
  return "failureType" in error && error.failureType === "subtestsFailed";
}

/** The error that the test threw, which node:test wraps. */
function describeError(error: Error): string {
  const thrown = error.cause ?? error;
  // The generated message of an assertion shows both values already.
  const isComplete =
    thrown instanceof Error && "generatedMessage" in thrown && thrown.generatedMessage === true;
  return isComplete && thrown.stack !== undefined
    ? thrown.stack
    : inspect(thrown, { depth: 8, maxStringLength: 8_000 });
}

export function formatFile(result: FileResult): string {
  const seconds = (result.durationMs / 1000).toFixed(1);
  const isGood = result.failed === 0 && result.skipped === 0;
  const title = `${isGood ? "✔" : "✖"} ${result.name}  ${closingLine([result])} (${seconds} s)\n`;
  if (isGood) return title;
  const failures = result.failures.map((failure) => `  ✖ ${indent(failure)}\n`).join("\n");
  return `${title}\n${failures}${result.output === "" ? "" : `\n  output:\n    ${indent(result.output.trimEnd())}\n`}\n`;
}

/** `N passed, N failed`, and `, N skipped` where there are any. */
export function closingLine(results: readonly FileResult[]): string {
  const sum = (field: "passed" | "failed" | "skipped") =>
    results.reduce((total, result) => total + result[field], 0);
  const skipped = sum("skipped");
  return `${sum("passed")} passed, ${sum("failed")} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

/** Whether something ran and all of it passed. */
export function isSuccess(results: readonly FileResult[]): boolean {
  return (
    results.some((result) => result.passed > 0) &&
    results.every((result) => result.failed === 0 && result.skipped === 0)
  );
}

function indent(text: string): string {
  return text.replaceAll("\n", "\n    ");
}
