/**
 * Loaded into the service with `--import`: its query threads run into an endless loop at a question that contains the text of
 * TEST_HANGING_QUESTION, its embedding threads at a text that contains that of TEST_HANGING_TEXT.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";

const port = parentPort;
const text = hangingText();

// Every thread loads this file.
if (!isMainThread && port !== null && text !== undefined) {
  const addListener = port.on.bind(port);
  // A listener of its own would start the port before the thread listens.
  port.on = ((event: string, listener: (message: unknown) => void) =>
    addListener(event, (message: unknown) => {
      while (has(message, text));
      listener(message);
    })) as typeof port.on;
}

/** Only query threads share an index; of the others only embedding threads pass gates. */
function hangingText(): string | undefined {
  if (typeof workerData !== "object" || workerData === null) return undefined;
  if ("shared" in workerData) return process.env["TEST_HANGING_QUESTION"];
  return "gates" in workerData ? process.env["TEST_HANGING_TEXT"] : undefined;
}

function has(message: unknown, text: string): boolean {
  return JSON.stringify(message).includes(text);
}
