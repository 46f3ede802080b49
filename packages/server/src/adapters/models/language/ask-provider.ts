import type { ModelRequest } from "../../../ports/language-model.ts";
import { startDeadline } from "./deadline.ts";
import type { Dialect, RequestFormat } from "./dialect.ts";
import type { Provider, ProviderReply, ProviderRequest } from "./provider.ts";
import { ProviderFault, toFault } from "./provider-fault.ts";
import { withSchema } from "./schema-prompt.ts";

interface AskContext {
  readonly provider: Provider;
  readonly dialect: Dialect;
  readonly model: string;
  readonly tryTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Makes one try. If the provider rejects the format of the request, sends it in another format at once, and
 * remembers the format that was accepted.
 * @throws ProviderFault; the signal's reason when it is aborted
 */
export async function askProvider(context: AskContext, request: ModelRequest): Promise<ProviderReply> {
  const { dialect, model } = context;
  const known = dialect.formatFor(model, request.task);
  let format = known;
  for (;;) {
    try {
      const reply = await askOnce(context, toProviderRequest(request, model, format));
      if (format !== known) dialect.remember(model, request.task, format);
      return reply;
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      const [hasSchema, isStreamed] = [request.schema !== null, request.onText !== undefined];
      const other = dialect.alternative(format, { fault: error, hasSchema, isStreamed });
      if (other === null) throw error;
      format = other;
    }
  }
}

function toProviderRequest(
  request: ModelRequest,
  model: string,
  format: RequestFormat,
): Omit<ProviderRequest, "signal"> {
  const { schema } = request;
  return {
    model,
    system: schema !== null && format.hasSchemaInPrompt ? withSchema(request.system, schema) : request.system,
    prompt: request.prompt,
    schema: format.enforcesSchema ? schema : null,
    maxOutputTokens: request.maxOutputTokens,
    temperature: format.sendsTemperature ? 0 : null,
    onText: format.streams ? (request.onText ?? null) : null,
  };
}

async function askOnce(
  context: AskContext,
  request: Omit<ProviderRequest, "signal">,
): Promise<ProviderReply> {
  const { provider, tryTimeoutMs } = context;
  const deadline = startDeadline(context.signal, tryTimeoutMs);
  try {
    return await provider.ask({ ...request, signal: deadline.signal });
  } catch (error) {
    context.signal.throwIfAborted();
    if (!deadline.signal.aborted) throw toFault(error);
    const message = `no answer within ${tryTimeoutMs / 1_000} seconds`;
    throw new ProviderFault("timeout", message, { isOverload: true, cause: error });
  } finally {
    deadline.end();
  }
}
