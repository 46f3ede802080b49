import type { ClientRequest } from "node:http";

/** Answers such as "100 Continue" before the response; each costs the main thread some work, and a receiver can send them without end. */
const MAX_INTERIM_ANSWERS = 8;

/** Ends the request with an error when the receiver sends more of them. */
export function limitInterimAnswers(outgoing: ClientRequest): void {
  let interim = 0;
  outgoing.on("information", () => {
    interim++;
    if (interim > MAX_INTERIM_ANSWERS) outgoing.destroy(new Error("The receiver sends only interim answers"));
  });
}
