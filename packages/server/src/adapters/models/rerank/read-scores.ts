import { ProviderFault } from "../language/provider-fault.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface ReadScores {
  /** In the order of the passages that were sent. */
  readonly scores: readonly number[];
  /** null when the reply does not tell. */
  readonly tokens: number | null;
}

/** More than any real call uses. Prevents an overflow of the meter by a wrong number. */
const MAX_TOKENS = 1_000_000_000;

/**
 * Reads a list of places and scores: of the reply itself or its member `results` or `data`, the score as `relevance_score` or
 * `score`, in any order.
 * @throws ProviderFault unless each of the `count` passages has exactly one finite score
 */
export function readScores(reply: unknown, count: number): ReadScores {
  const list = listOf(reply);
  if (list === null) throw fault("its reply has no list of scores");
  if (list.length !== count) throw fault(`it sent ${list.length} scores for ${count} passages`);
  const scores = new Array<number | null>(count).fill(null);
  for (const item of list) {
    const { index, score } = readItem(item);
    if (scores[index] === undefined) throw fault("it sent a score for a passage that it was not asked about");
    if (scores[index] !== null) throw fault("it sent two scores for one passage");
    scores[index] = score;
  }
  return { scores: scores.map((score) => score ?? 0), tokens: readTokens(reply) };
}

function listOf(reply: unknown): readonly unknown[] | null {
  const list = isRecord(reply) ? (reply["results"] ?? reply["data"]) : reply;
  return Array.isArray(list) ? list : null;
}

function readItem(item: unknown): { readonly index: number; readonly score: number } {
  const fields = isRecord(item) ? item : {};
  const index = fields["index"];
  const score = fields["relevance_score"] ?? fields["score"];
  if (typeof index !== "number" || !Number.isInteger(index)) throw fault("it sent a score without a place");
  if (typeof score !== "number" || !Number.isFinite(score)) throw fault("it sent a score that is no number");
  return { index, score };
}

function readTokens(reply: unknown): number | null {
  const usage = isRecord(reply) && isRecord(reply["usage"]) ? reply["usage"] : {};
  const tokens = usage["total_tokens"];
  const isPlausible = typeof tokens === "number" && Number.isInteger(tokens) && tokens >= 0;
  return isPlausible && tokens <= MAX_TOKENS ? tokens : null;
}

function fault(message: string): ProviderFault {
  return new ProviderFault("unavailable", message);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
