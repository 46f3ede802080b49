/**
 * Loaded into the service with `--import`: its query threads run into an endless loop at a question that contains the text of
 * TEST_HANGING_QUESTION.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";

const text = process.env["TEST_HANGING_QUESTION"];
const port = parentPort;

// Every thread loads this file. Only query threads share an index.
if (!isMainThread && port !== null && text !== undefined && isQueryThread(workerData)) {
  const addListener = port.on.bind(port);
  // A listener of its own would start the port before the thread listens.
  port.on = ((event: string, listener: (message: unknown) => void) =>
    addListener(event, (message: unknown) => {
      while (isQuestion(message, text));
      listener(message);
    })) as typeof port.on;
}

function isQueryThread(data: unknown): boolean {
  return typeof data === "object" && data !== null && "shared" in data;
}

function isQuestion(message: unknown, text: string): boolean {
  return JSON.stringify(message).includes(text);
}
