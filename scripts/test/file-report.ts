/** The result of one test file: a single line when it passes, every failure in full when it does not. */
import { inspect } from "node:util";

/** One finished test as a lane reports it. The suite of the whole file has `nesting` 0 and the file's path as name. */
export interface TestResult {
  readonly name: string;
  readonly nesting: number;
  readonly isSuite: boolean;
  readonly outcome: "passed" | "failed" | "skipped" | "todo";
  /** The error as text when `outcome` is "failed"; null for a suite that failed only because of its tests. */
  readonly error: string | null;
}

export interface FileResult {
  /** Path of the file relative to the repository. */
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Skipped and todo tests. They fail the run: a test that does not run must not look like one that passed. */
  readonly skipped: number;
  /** One paragraph per failure: the test's full name, then the error with its difference and stack. */
  readonly failures: readonly string[];
  /** The last 64 KiB that the file wrote to standard output and standard error. */
  readonly output: string;
  readonly durationMs: number;
}

export interface FileReport {
  add(result: TestResult): void;
  /** `crash` is the reason when the file's process ended before the file did. */
  end(input: { readonly output: string; readonly durationMs: number; readonly crash?: string }): FileResult;
}

/** Collects the results of one file. node:test reports a test's suite after the tests in it. */
export function createFileReport(name: string): FileReport {
  const counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  /** Failures that wait for the names of the suites around them, which arrive later. */
  let open: { readonly nesting: number; readonly path: readonly string[]; readonly text: string }[] = [];
  const failures: string[] = [];

  function close(nesting: number, suite: string): void {
    open = open.map((failure) =>
      failure.nesting > nesting ? { ...failure, nesting, path: [suite, ...failure.path] } : failure,
    );
  }

  return {
    add(result) {
      if (result.nesting > 0) close(result.nesting, result.name);
      if (!result.isSuite) counts[result.outcome]++;
      // A suite can fail by itself: in a hook, or while the file is loaded.
      else if (result.outcome === "failed" && result.error !== null) counts.failed++;
      const text = result.outcome === "failed" ? result.error : verdicts[result.outcome];
      if (text === null) return;
      const path = result.nesting === 0 ? ["the file itself"] : [result.name];
      open.push({ nesting: result.nesting, path, text });
    },
    end({ output, durationMs, crash }) {
      if (crash !== undefined) {
        counts.failed++;
        failures.push(`the file itself\n${crash}`);
      } else if (counts.passed + counts.failed + counts.skipped + counts.todo === 0) {
        counts.failed++;
        failures.push("the file itself\nholds no test");
      }
      failures.unshift(...open.map(({ path, text }) => `${path.join(" > ")}\n${text}`));
      const { passed, failed } = counts;
      return { name, passed, failed, skipped: counts.skipped + counts.todo, failures, output, durationMs };
    },
  };
}

const verdicts = { passed: null, skipped: "is skipped", todo: "is a todo" } as const;

/** The error that a test threw, without node:test's wrapper; null for a suite that failed because of its tests. */
export function describeError(error: Error): string | null {
  if ("failureType" in error && error.failureType === "subtestsFailed") return null;
  const thrown = error.cause ?? error;
  // The message of a generated assertion already shows both values.
  const isComplete =
    thrown instanceof Error && "generatedMessage" in thrown && thrown.generatedMessage === true;
  return isComplete && thrown.stack !== undefined
    ? thrown.stack
    : inspect(thrown, { depth: 8, maxStringLength: 8_000 });
}

export function formatFile(result: FileResult, progress: string): string {
  const seconds = (result.durationMs / 1000).toFixed(1);
  const hasPassed = isGood(result);
  const title = `${progress} ${hasPassed ? "✔" : "✖"} ${result.name}  ${closingLine([result])} (${seconds} s)\n`;
  if (hasPassed) return title;
  const failures = result.failures.map((failure) => `  ✖ ${indent(failure)}\n`).join("\n");
  const output = result.output === "" ? "" : `\n  output:\n    ${indent(result.output.trimEnd())}\n`;
  return `${title}\n${failures}${output}\n`;
}

/**
 * The failures of all files once more, without the files' output: a reader who has only the end of a long log sees them.
 * Cut to `limit` characters; empty when everything passed.
 */
export function formatFailures(results: readonly FileResult[], limit = 8_000): string {
  const failures = results.flatMap(({ name, failures }) =>
    failures.map((text) => `✖ ${name}: ${indent(text)}\n`),
  );
  const text = failures.join("\n");
  return text.length <= limit ? text : `${text.slice(0, limit)}\n[the rest is above]\n`;
}

/** `N passed, N failed`, and `, N skipped` when there are any. */
export function closingLine(results: readonly FileResult[]): string {
  const sum = (field: "passed" | "failed" | "skipped") =>
    results.reduce((total, result) => total + result[field], 0);
  const skipped = sum("skipped");
  return `${sum("passed")} passed, ${sum("failed")} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

/** Whether something ran and all of it passed. */
export function isSuccess(results: readonly FileResult[]): boolean {
  return results.some((result) => result.passed > 0) && results.every(isGood);
}

function isGood({ failed, skipped }: FileResult): boolean {
  return failed === 0 && skipped === 0;
}

function indent(text: string): string {
  return text.replaceAll("\n", "\n    ");
}
