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

/** Near their beginning the service's sentences about a file that it can never read name it. */
const nearBeginning = 60;
const ofFile = /\b(?:archive|e-book|file|PDF|picture|table)\b|^The (?:page is damaged|part )/;
/** What happened while it was read says nothing of it. */
const ofService = /^(?:Internal error|The worker ended)/;

function isOfFile(message: string): boolean {
  // A full archive says itself that its job can be retried.
  const isOther = ofService.test(message) || message.includes("retry the job");
  return !isOther && ofFile.test(message.slice(0, nearBeginning));
}

/** What helps where a retry cannot. */
function helpWithFile(message: string): string {
  if (/\bmore than\b|\blonger than\b|\btoo many\b/.test(message)) return "Send it in smaller parts.";
  if (/\b(?:has|holds) no (?:text|files)\b|\bis empty\.$|^No text\b/.test(message))
    return "Send one that has text.";
  return "Repair the file, or convert it to another type, and send it again.";
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
  if (isOfFile(message)) return /\bsend\b/i.test(message) ? sentence : `${sentence} ${helpWithFile(message)}`;
  if (message.includes("retry the job")) return sentence;
  return `${sentence} Retry it, or send the text again.`;
}
