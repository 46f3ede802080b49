const start = "url: ";

/** What the service says is wrong with the URL, in words for its field; null where something else is wrong. */
export function urlFaultOf(message: string): string | null {
  if (!message.startsWith(start)) return null;
  if (message.includes("is not an https URL"))
    return "The URL must begin with https://. Whoever operates the service can allow others (KCS_WEBHOOK_PRIVATE=allow).";
  const fault = message.slice(start.length);
  return /^\p{Lu}/u.test(fault) ? `${fault}.` : `The URL ${fault}.`;
}
