import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  JobFailedError,
  KcsError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from "@kcs/sdk";

/** Published: scripts depend on these codes, and docs/cli.md lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  credentials: 3,
  notFound: 4,
  someFailed: 5,
  unavailable: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line is wrong. The message says what is expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure that is not a fault of the command line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

const UNKNOWN_ANSWER =
  "The service answered in a form that this command does not know. kcs doctor checks the address and the version.";

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return EXIT.credentials;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof JobFailedError) return EXIT.someFailed;
  const isOutage = [ConnectionError, TimeoutError, RateLimitError, ServerError].some(
    (kind) => error instanceof kind,
  );
  return isOutage || isOfProxy(error) ? EXIT.unavailable : EXIT.failed;
}

function isOfProxy(error: unknown): boolean {
  return error instanceof ApiError && error.requestId === null;
}

/** One or two sentences that say what happened and what to do. */
export function describeError(error: unknown): string {
  const text = describeKnown(error);
  return error instanceof KcsError && error.mayBeDone
    ? `${text}\nIt may have been carried out all the same.`
    : text;
}

function describeKnown(error: unknown): string {
  if (error instanceof AuthenticationError) {
    return "The key is not valid or no longer valid. Run kcs login again, or set KCS_KEY.";
  }
  if (error instanceof ConnectionError) {
    return `${error.message}\nIs the service running? kcs doctor checks the connection.`;
  }
  if (error instanceof ServerError && error.requestId !== null) {
    return `${error.detail} (request ${error.requestId})`;
  }
  // A command read something that the answer does not have.
  if (error instanceof TypeError) return UNKNOWN_ANSWER;
  if (error instanceof Error) return "detail" in error ? String(error.detail) : error.message;
  return String(error);
}
