/** `node measure-model-process.ts`: measures the model that the parent sends and sends back the figures or the fault. */
import { ModelFault } from "./adapters/models/local/model-fault.ts";
import { silenceRuntime } from "./adapters/models/runtime/silence-runtime.ts";
import { type MeasuredModel, type MeasureLimits, type Measurement, measureModel } from "./measure-model.ts";

export interface MeasureRequest {
  readonly measured: MeasuredModel;
  readonly limits: MeasureLimits;
}

export type MeasureReply =
  | { readonly measurement: Measurement }
  /** A model's own fault says what to do; of another one the message alone is of use. */
  | { readonly fault: string };

process.once("message", async (request) => {
  silenceRuntime();
  const { measured, limits } = request as MeasureRequest; // Sent by `benchModels`.
  const reply: MeasureReply = await measureModel(measured, limits).then(
    (measurement) => ({ measurement }),
    (error: unknown) => ({ fault: faultText(error) }),
  );
  process.send?.(reply, () => process.disconnect?.());
});

function faultText(error: unknown): string {
  if (error instanceof ModelFault) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
