/** What to do about a job that failed. */

const cancelled = "Cancelled";

/** The service reports a cancelled job as failed with this message. */
export function isCancelled({
  status,
  error_message: message,
}: {
  readonly status: string;
  readonly error_message: string | null;
}): boolean {
  return status === "failed" && message === cancelled;
}

/** Whether a retry can have another result. The service does not keep the text of a cancelled job. */
export function isWorthRetrying(message: string): boolean {
  return message !== cancelled && !isOfFile(message);
}

/** How the service's sentences begin about a file that it can never read. */
const fileSentences = [
  ...[
    "The file ",
    "The type of the file ",
    "The JSON file ",
    "The PDF ",
    "The e-book ",
    "The page is damaged",
  ],
  ...["The archive ", "It is an archive ", "The part "],
];

function isOfFile(message: string): boolean {
  // A full archive says itself that its job can be retried.
  return fileSentences.some((start) => message.startsWith(start)) && !message.includes("retry the job");
}

/** The service's message and what the user can do. */
export function adviceOf(message: string): string {
  if (message === "Token usage limit exceeded")
    return `${message}. Wait until the next month, or ask for a higher limit.`;
  if (message === cancelled) return "Its text is not kept: send it again if you still want to add it.";
  if (message.startsWith("LLM API timeout"))
    return `${message}. The language model did not answer; retry later.`;
  if (message.startsWith("Database connection lost")) return `${message}. It is safe to retry.`;
  const sentence = `${message}${message.endsWith(".") ? "" : "."}`;
  if (isOfFile(message)) return /\bsend\b/.test(message) ? sentence : `${sentence} Send another file.`;
  if (message.includes("retry the job")) return sentence;
  return `${sentence} Retry it, or send the text again.`;
}
