import { bodies } from "@kcs/contract";
import type { Page } from "../../ports/store.ts";
import { check } from "../body.ts";

/**
 * `limit` and `offset` of lists that the contract returns completely; null (neither is given) = everything.
 */
export function pageOf(query: unknown): Page | null {
  const { limit, offset } = check(bodies.listParameters, query);
  if (limit === null && offset === 0) return null;
  return { limit: limit ?? bodies.LIMITS.listPage, offset: offset ?? 0 };
}
