import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { isId, newId } from "../domain/ids.ts";
import type { Once } from "../domain/once.ts";
import { createTurns } from "../domain/turns.ts";
import {
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  type EventType,
  type SentEvent,
  subjectOf,
  type Webhook,
  type WebhookChange,
} from "../domain/webhook.ts";
import type { StoredWebhook } from "../ports/event-store.ts";
import type { Page, Store } from "../ports/store.ts";
import type { WebhookSender } from "../ports/webhook-sender.ts";
import { accountCapReached } from "./caps.ts";
import { createOnce } from "./once.ts";
import { newWebhookSecret, signatureHeaders } from "./webhook-signature.ts";

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string | null;
}

export interface WebhookService {
  /** @throws ServiceError `invalid_input` for a URL that is not allowed as a receiver */
  create(caller: Caller, input: NewWebhook, once?: Once<StoredWebhook>): Promise<StoredWebhook>;
  /** Newest first. */
  list(caller: Caller): Promise<readonly Webhook[]>;
  get(caller: Caller, webhookId: string): Promise<Webhook>;
  /**
   * `change` is called only after access is granted.
   * @throws ServiceError `invalid_input` for a URL that is not allowed as a receiver
   */
  change(caller: Caller, webhookId: string, change: () => WebhookChange): Promise<Webhook>;
  delete(caller: Caller, webhookId: string): Promise<void>;
  listDeliveries(
    caller: Caller,
    webhookId: string,
    listing: () => { readonly page: Page; readonly status: DeliveryStatus | null },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly total: number }>;
  /** Makes one attempt immediately, even if the webhook is disabled; a successful one enables it again, unless its owner has disabled it. */
  test(caller: Caller, webhookId: string): Promise<Delivery>;
}

const MAX_TESTS_AT_ONCE = 16;
/** Tests of further accounts wait for so long. A test takes ten seconds at most. */
const WAIT_MS = 30_000;
const RETRY_SECONDS = 5;

export interface WebhookDeps {
  readonly store: Store;
  readonly sender: WebhookSender;
  /** The request body for an event. */
  readonly present: (event: SentEvent) => string;
  readonly maxPerAccount: number;
  readonly signUp: "open" | "closed";
  readonly now: () => number;
}

export function createWebhookService(deps: WebhookDeps): WebhookService {
  const { store, sender } = deps;
  const testInTurn = createTestTurns();

  async function requireWebhook(caller: Caller, webhookId: string): Promise<StoredWebhook> {
    const stored = isId("whk", webhookId)
      ? await store.findWebhook({ accountId: caller.accountId, webhookId })
      : null;
    if (stored === null) throw errors.webhookNotFound();
    return stored;
  }

  /** In its usual form. */
  function requireReceiver(url: string): string {
    const fault = sender.addressFault(url);
    if (fault !== null) throw errors.invalidInput(`url: ${fault}`);
    return new URL(url).href;
  }

  return {
    async create(caller, input, once) {
      const url = requireReceiver(input.url);
      const { accountId } = caller;
      const webhook: Webhook = {
        webhookId: newId("whk"),
        accountId,
        url,
        events: input.events,
        description: input.description,
        createdAt: deps.now(),
        disabled: null,
      };
      const created = { webhook, secret: newWebhookSecret() };
      const outcome = await createOnce<"createWebhook">(
        store,
        { name: "createWebhook", input: { ...created, maxPerAccount: deps.maxPerAccount } },
        once === undefined
          ? null
          : { accountId, now: webhook.createdAt, key: once, answer: once.answerOf(created) },
      );
      if (outcome === "too_many") throw accountCapReached("webhooks", deps.maxPerAccount, deps.signUp);
      return created;
    },

    list: ({ accountId }) => store.listWebhooks({ accountId }),

    get: async (caller, webhookId) => (await requireWebhook(caller, webhookId)).webhook,

    async change(caller, webhookId, change) {
      await requireWebhook(caller, webhookId);
      const { url, ...others } = change();
      const changed = await store.changeWebhook({
        ...{ accountId: caller.accountId, webhookId, now: deps.now() },
        change: { ...others, ...(url !== undefined && { url: requireReceiver(url) }) },
      });
      if (changed === null) throw errors.webhookNotFound();
      return changed;
    },

    async delete(caller, webhookId) {
      await requireWebhook(caller, webhookId);
      if (!(await store.deleteWebhook({ accountId: caller.accountId, webhookId })))
        throw errors.webhookNotFound();
    },

    async listDeliveries(caller, webhookId, listing) {
      await requireWebhook(caller, webhookId);
      return store.listDeliveries({ accountId: caller.accountId, webhookId, ...listing() });
    },

    async test(caller, webhookId) {
      await requireWebhook(caller, webhookId);
      const { accountId } = caller;
      // It may be changed or deleted while the test waits.
      return testInTurn(accountId, async () => sendTest(await requireWebhook(caller, webhookId), deps));
    },
  };
}

/** Runs one test of an account at a time. Where too many of others run, it waits. */
function createTestTurns() {
  const turns = createTurns({ atOnce: MAX_TESTS_AT_ONCE });
  /** Ids of accounts with a test that runs or waits. */
  const testing = new Set<string>();
  return async <Result>(accountId: string, work: () => Promise<Result>): Promise<Result> => {
    if (testing.has(accountId))
      throw errors.busy("Another test is being sent. Try again shortly.", RETRY_SECONDS);
    testing.add(accountId);
    const signal = AbortSignal.timeout(WAIT_MS);
    try {
      return await turns.run(work, { accountId, signal });
    } catch (error) {
      if (error !== signal.reason) throw error;
      throw errors.unavailable("Too many tests are being sent at once. Try again shortly.", {
        retryAfterSeconds: RETRY_SECONDS,
      });
    } finally {
      testing.delete(accountId);
    }
  };
}

async function sendTest({ webhook, secret }: StoredWebhook, deps: WebhookDeps): Promise<Delivery> {
  const { accountId, webhookId, url } = webhook;
  const event: SentEvent = { type: "webhook.test", at: deps.now(), webhookId };
  const deliveryId = newId("msg");
  const attempt = await sendOnce({ url, secret, deliveryId, event }, deps, new AbortController().signal);
  await deps.store.recordTest({ accountId, webhookId, deliveryId, event, attempt });
  return {
    deliveryId,
    type: event.type,
    subject: subjectOf(event),
    status: attempt.error === null ? "delivered" : "failed",
    attempts: 1,
    createdAt: event.at,
    lastAttempt: attempt,
    nextAttemptAt: null,
  };
}

/**
 * Signs and sends an event. `deliveryId` is the same for every attempt. `isGone`:
 * the receiver wants no more deliveries.
 */
export async function sendOnce(
  message: {
    readonly url: string;
    readonly secret: string;
    readonly deliveryId: string;
    readonly event: SentEvent;
  },
  deps: Pick<WebhookDeps, "sender" | "present" | "now">,
  stop: AbortSignal,
): Promise<Attempt & { readonly isGone: boolean }> {
  const at = deps.now();
  const body = deps.present(message.event);
  const headers = signatureHeaders(message.secret, { id: message.deliveryId, at, body });
  const { durationMs, responseStatus, outcome, error } = await deps.sender.send(
    { url: message.url, headers, body },
    stop,
  );
  return { at, durationMs, responseStatus, error, isGone: outcome === "gone" };
}
