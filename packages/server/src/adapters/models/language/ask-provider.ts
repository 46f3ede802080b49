import type { ModelRequest } from "../../../ports/language-model.ts";
import { startDeadline } from "./deadline.ts";
import type { Dialect, Wording } from "./dialect.ts";
import type { Answered, Provider, Question } from "./provider.ts";
import { ProviderFault, toFault } from "./provider-fault.ts";
import { withSchema } from "./schema-prompt.ts";

interface Asking {
  readonly provider: Provider;
  readonly dialect: Dialect;
  readonly model: string;
  readonly tryTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * One try. A request that the provider refuses is put in other words at once, each of which is kept once it was understood.
 * @throws ProviderFault; the signal's reason when that is aborted
 */
export async function askInWords(asking: Asking, request: ModelRequest): Promise<Answered> {
  const { dialect, model } = asking;
  const known = dialect.wordingFor(model, request.task);
  let wording = known;
  for (;;) {
    try {
      const answered = await askOnce(asking, questionOf(request, model, wording));
      if (wording !== known) dialect.keep(model, request.task, wording);
      return answered;
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      const other = dialect.reworded(wording, { fault: error, hasSchema: request.schema !== null });
      if (other === null) throw error;
      wording = other;
    }
  }
}

function questionOf(request: ModelRequest, model: string, wording: Wording): Omit<Question, "signal"> {
  const { schema } = request;
  return {
    model,
    system: schema !== null && wording.tellsSchema ? withSchema(request.system, schema) : request.system,
    prompt: request.prompt,
    schema: wording.locksSchema ? schema : null,
    maxOutputTokens: request.maxOutputTokens,
    temperature: wording.sendsTemperature ? 0 : null,
  };
}

async function askOnce(asking: Asking, question: Omit<Question, "signal">): Promise<Answered> {
  const { provider, tryTimeoutMs } = asking;
  const deadline = startDeadline(asking.signal, tryTimeoutMs);
  try {
    return await provider.ask({ ...question, signal: deadline.signal });
  } catch (error) {
    asking.signal.throwIfAborted();
    if (!deadline.signal.aborted) throw toFault(error);
    const message = `no answer within ${tryTimeoutMs / 1_000} seconds`;
    throw new ProviderFault("timeout", message, { isOverload: true, cause: error });
  } finally {
    deadline.end();
  }
}
