/** Creating operations, performed once for each idempotency key that a client sends. */
import { errors } from "../domain/errors.ts";
import { AlreadyAnswered, type RequestKey } from "../domain/once.ts";
import type { CreatingCall, CreatingStore, OnceStore } from "../ports/event-store.ts";

/**
 * Call it once access is granted, before anything is checked or fetched that may have another result at a repetition.
 * @throws AlreadyAnswered for a repeated request, ServiceError `conflict` when the key belongs to another one
 */
export async function replayAnswer(
  store: Pick<OnceStore, "findAnswer">,
  key: RequestKey | undefined,
  by: { readonly accountId: string; readonly now: number },
): Promise<void> {
  if (key === undefined) return;
  const request = { key: key.key, fingerprint: key.fingerprint };
  const found = await store.findAnswer({ ...by, request });
  if (found?.kind === "answered") throw new AlreadyAnswered(found.answer);
  if (found?.kind === "differs") throw errors.keyOfAnotherRequest();
}

/** Whether a request with the key was answered, perhaps another one: for a request whose fingerprint is not known yet. */
export async function isKeyKnown(
  store: Pick<OnceStore, "findAnswer">,
  key: string | undefined,
  by: { readonly accountId: string; readonly now: number },
): Promise<boolean> {
  return key !== undefined && (await store.findAnswer({ ...by, request: { key, fingerprint: "" } })) !== null;
}

type Created<Name extends keyof CreatingStore> = Awaited<ReturnType<CreatingStore[Name]>>;

/**
 * Performs the operation. With a request key, only the first request performs it; repeated requests throw
 * the stored answer.
 * @throws AlreadyAnswered, and ServiceError `conflict` when the key belongs to another request
 */
export async function createOnce<Name extends keyof CreatingStore>(
  store: CreatingStore & OnceStore,
  call: Extract<CreatingCall, { readonly name: Name }>,
  once: {
    readonly accountId: string;
    readonly now: number;
    readonly key: RequestKey;
    readonly answer: string;
  } | null,
): Promise<Created<Name>> {
  if (once === null) {
    const perform = store[call.name] as (input: unknown) => Promise<unknown>; // `call` pairs each name with its input.
    return (await perform(call.input)) as Created<Name>; // The result of the operation with that name.
  }
  const { accountId, now, answer } = once;
  const request = { key: once.key.key, fingerprint: once.key.fingerprint };
  const outcome = await store.performOnce({ request, accountId, now, answer, call });
  if (outcome.kind === "answered") throw new AlreadyAnswered(outcome.answer);
  if (outcome.kind === "differs") throw errors.keyOfAnotherRequest();
  return outcome.result as Created<Name>; // The result of the operation with that name.
}
