/** Passes on a reply while it is written, without the reasoning that some models write before it. */

const THOUGHTS = ["<think>", "<thinking>"] as const;
const END = /<\/think(?:ing)?>/;
const END_UNITS = "</thinking>".length;

/**
 * Together the parts are the beginning of what `withoutThoughts` leaves of the whole text, trimmed: a reply is held back while it may
 * be reasoning that has not ended, and white space until something follows it.
 */
export function createVisibleText(onText: (delta: string) => void): (delta: string) => void {
  let state: "start" | "thoughts" | "answer" = "start";
  let [held, hasBegun] = ["", false];

  function readStart(): void {
    held = held.trimStart();
    if (THOUGHTS.some((mark) => held.startsWith(mark))) state = "thoughts";
    else if (!THOUGHTS.some((mark) => mark.startsWith(held))) state = "answer";
  }

  function readThoughts(): void {
    const end = END.exec(held);
    // Of what may never end only as much is kept as an end needs.
    held = held.slice(end === null ? -END_UNITS : end.index + end[0].length);
    if (end !== null) state = "answer";
  }

  /** Looks at what is new alone: white space that waits for text may be long. */
  function readAnswer(delta: string): void {
    const text = delta.trimEnd();
    if (text === "") {
      if (hasBegun) held += delta;
      return;
    }
    onText(hasBegun ? held + text : text.trimStart());
    hasBegun = true;
    held = delta.slice(text.length);
  }

  /** What of the text so far is known to be the answer; null while that may be reasoning. */
  function readOpening(delta: string): string | null {
    held += delta;
    if (state === "start") readStart();
    if (state === "thoughts") readThoughts();
    if (state !== "answer") return null;
    const answer = held;
    held = "";
    return answer;
  }

  return (delta) => {
    const answer = state === "answer" ? delta : readOpening(delta);
    if (answer !== null) readAnswer(answer);
  };
}
