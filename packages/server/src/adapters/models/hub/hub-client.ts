/** Requests to a hub of the Hugging Face protocol: bounded retries, a least rate, no request while offline. */
import { setTimeout as sleep } from "node:timers/promises";
import { ModelFault } from "../local/model-fault.ts";

export interface HubSettings {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly token: string | null;
  readonly offline: boolean;
}

export interface HubDeps {
  readonly wait?: (ms: number) => Promise<unknown>;
  /** A connection that sends less than `LEAST_BYTES` in this time is given up. */
  readonly silenceMs?: number;
}

export interface HubClient {
  /** @throws ModelFault */
  json(path: string): Promise<unknown>;
  /**
   * Runs `receive` with the response, and again after faults that may pass. `receive` reports the bytes of each piece and
   * returns whether it has everything; each round that brought `LEAST_BYTES` starts the count of retries again.
   */
  download(
    path: string,
    receive: (response: Response, onPiece: (bytes: number) => void) => Promise<boolean>,
    from: () => number,
  ): Promise<void>;
}

const MAX_RETRIES = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const SILENCE_MS = 60_000;
/** In `SILENCE_MS`: a file of 500 MB then takes at most six days. */
export const LEAST_BYTES = 64 * 1024;
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** A fault that a later request may not have. */
class PassingFault extends Error {
  readonly pauseMs: number | null;
  constructor(message: string, pauseMs: number | null, cause?: unknown) {
    super(message, { cause });
    this.pauseMs = pauseMs;
  }
}

export function createHubClient(settings: HubSettings, deps: HubDeps = {}): HubClient {
  const { wait = sleep, silenceMs = SILENCE_MS } = deps;

  async function once<T>(
    path: string,
    from: number,
    read: (response: Response, onPiece: (bytes: number) => void) => Promise<T>,
  ): Promise<T> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), silenceMs);
    try {
      const response = await fetch(settings.endpoint + path, {
        headers: {
          ...(settings.token === null ? {} : { authorization: `Bearer ${settings.token}` }),
          ...(from > 0 ? { range: `bytes=${from}-` } : {}),
          // A compressed body has other lengths and offsets.
          "accept-encoding": "identity",
        },
        signal: silence.signal,
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw faultOf(response, { path, settings });
      }
      let received = 0;
      return await read(response, (bytes) => {
        received += bytes;
        if (received < LEAST_BYTES) return;
        received = 0;
        timer.refresh();
      });
    } catch (error) {
      if (error instanceof ModelFault || error instanceof PassingFault || isLocalFault(error)) throw error;
      const reason = silence.signal.aborted
        ? `it sent less than ${LEAST_BYTES / 1024} KiB in ${silenceMs / 1_000} s`
        : reasonOf(error);
      throw new PassingFault(`${settings.endpoint} did not answer completely: ${reason}`, null, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function retried(attempt: () => Promise<boolean>, progress: () => number): Promise<void> {
    let best = progress();
    for (let retries = 0; ; retries++) {
      try {
        if (await attempt()) return;
        throw new PassingFault(`${settings.endpoint} ended its answer early`, null);
      } catch (error) {
        if (!(error instanceof PassingFault)) throw error;
        if (progress() >= best + LEAST_BYTES) {
          retries = 0;
          best = progress();
        }
        if (retries >= MAX_RETRIES) throw new ModelFault(`${error.message}. ${RESUME}`, { cause: error });
        await wait(Math.min(LONGEST_PAUSE_MS, error.pauseMs ?? FIRST_PAUSE_MS * 2 ** retries));
      }
    }
  }

  function requireOnline(): void {
    if (settings.offline)
      throw new ModelFault(
        "HF_HUB_OFFLINE is set, so nothing is downloaded. Copy the model's folder into the models folder, or add it by its path.",
      );
  }

  return {
    async json(path) {
      requireOnline();
      let text = "";
      await retried(
        () =>
          once(path, 0, async (response) => {
            text = await readText(response);
            return true;
          }),
        () => 0,
      );
      try {
        return JSON.parse(text) as unknown;
      } catch (cause) {
        throw new ModelFault(`${settings.endpoint}${path} did not answer with JSON: is HF_ENDPOINT a hub?`, {
          cause,
        });
      }
    },
    async download(path, receive, from) {
      requireOnline();
      await retried(() => once(path, from(), receive), from);
    },
  };
}

const RESUME = "What was downloaded is kept: the same command continues there";

function faultOf(response: Response, { path, settings }: { path: string; settings: HubSettings }): Error {
  const { status, headers } = response;
  const where = `${settings.endpoint}${path}`;
  if (status === 401 || status === 403) {
    const advice =
      settings.token === null
        ? "If the model is private or gated, accept its terms on the hub and set HF_TOKEN."
        : "HF_TOKEN is not valid, or its account has not accepted the model's terms on the hub.";
    return new ModelFault(`The hub answered ${status} for ${where}. ${advice}`);
  }
  if (status === 404) return new ModelFault(`The hub has no ${where}. Check the name and the revision.`);
  if (status === 416) return new PassingFault(`${where} has changed its length`, null);
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    return new PassingFault(
      `The hub answered ${status} for ${where}`,
      Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null,
    );
  }
  return new ModelFault(`The hub answered ${status} for ${where}.`);
}

/** Of this machine's disk, which no retry mends. Faults of a connection are causes of an error of `fetch`. */
function isLocalFault(error: unknown): boolean {
  return error instanceof Error && "code" in error && "syscall" in error;
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_JSON_BYTES) throw new ModelFault(`The answer of ${response.url} is too long.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
