import { isMainThread } from "node:worker_threads";

const TELEMETRY_SWITCH = "ORT_DISABLE_TELEMETRY";

/**
 * Disables the telemetry of onnxruntime, which its Linux builds send to its vendor over the network from 1.30 on unless
 * this variable is set when the library loads. Call it on the main thread before another thread loads the model: the
 * library sees variables that a worker thread inherits, but not those that the worker thread sets.
 */
export function silenceRuntime(): void {
  process.env[TELEMETRY_SWITCH] = "1";
}

/** @throws Error in a worker thread that was started before `silenceRuntime` was called */
export function requireSilentRuntime(): void {
  if (isMainThread) silenceRuntime();
  else if (process.env[TELEMETRY_SWITCH] !== "1") {
    throw new Error("Call silenceRuntime() on the main thread before starting threads that load the model.");
  }
}
