import { isMainThread } from "node:worker_threads";

const SWITCH = "ORT_DISABLE_TELEMETRY";

/**
 * Keeps onnxruntime from reporting its use to its maker over the network, which its Linux builds do from 1.30 on
 * unless this is set when the library loads. To be called on the main thread before another thread loads the
 * model: what a worker thread sets in its environment the library does not see, but what it inherits it does.
 */
export function silenceRuntime(): void {
  process.env[SWITCH] = "1";
}

/** @throws Error in a worker thread when `silenceRuntime` was not called before it was started */
export function requireSilentRuntime(): void {
  if (isMainThread) silenceRuntime();
  else if (process.env[SWITCH] !== "1") {
    throw new Error("Call silenceRuntime() on the main thread before starting threads that load the model.");
  }
}
