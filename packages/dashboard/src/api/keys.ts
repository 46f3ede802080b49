/** API keys of whoever is signed in. Times are ISO 8601. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  /** What the key begins with. */
  readonly start: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastRequest: string | null;
}

export const keysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ signal }) =>
    request<{ readonly apiKeys: readonly ApiKey[] }>("api/auth/api-key/list", { signal }).then(
      ({ apiKeys }) => apiKeys,
    ),
});

/** `expiresIn` in seconds; null = never. The answer has the key itself, this once. */
export function createKey(input: {
  readonly name: string;
  readonly expiresIn: number | null;
}): Promise<ApiKey & { readonly key: string }> {
  return request("api/auth/api-key/create", { method: "POST", body: input });
}

export function revokeKey(keyId: string): Promise<unknown> {
  return request("api/auth/api-key/delete", { method: "POST", body: { keyId } });
}
