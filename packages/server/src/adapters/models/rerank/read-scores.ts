import { ProviderFault } from "../language/provider-fault.ts";
import { tokenCountOf } from "../language/token-count.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface ReadScores {
  /** In the order of the passages that were sent. */
  readonly scores: readonly number[];
  /** null when the reply does not tell a plausible number. */
  readonly tokens: number | null;
}

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
  return tokenCountOf(usage["total_tokens"]);
}

function fault(message: string): ProviderFault {
  return new ProviderFault("unavailable", message);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
