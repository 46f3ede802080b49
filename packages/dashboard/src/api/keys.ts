/** API keys of the signed-in account. Times are ISO 8601. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  /** The first characters of the key. */
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

/** `expiresIn` is in seconds; null means never. Only this response contains the key itself. */
export function createKey(input: {
  readonly name: string;
  readonly expiresIn: number | null;
}): Promise<ApiKey & { readonly key: string }> {
  return request("api/auth/api-key/create", { method: "POST", body: input });
}

export function revokeKey(keyId: string): Promise<unknown> {
  return request("api/auth/api-key/delete", { method: "POST", body: { keyId } });
}
