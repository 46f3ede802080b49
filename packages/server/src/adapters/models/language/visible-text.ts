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

  return (delta) => {
    held += delta;
    if (state === "start") readStart();
    if (state === "thoughts") readThoughts();
    if (state !== "answer") return;
    if (!hasBegun) held = held.trimStart();
    const text = held.trimEnd();
    if (text === "") return;
    hasBegun = true;
    held = held.slice(text.length);
    onText(text);
  };
}
