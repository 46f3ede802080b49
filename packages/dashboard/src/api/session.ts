/** Who is signed in. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

export interface Session {
  readonly user: { readonly email: string; readonly name: string };
}

/** null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => request<Session | null>("api/auth/get-session", { signal }),
  staleTime: 60_000,
});

export function signIn(input: { readonly email: string; readonly password: string }): Promise<unknown> {
  return request("api/auth/sign-in/email", { method: "POST", body: input });
}

export function signOut(): Promise<unknown> {
  return request("api/auth/sign-out", { method: "POST", body: {} });
}

export function completeSetUp(input: {
  readonly token: string;
  readonly email: string;
  readonly password: string;
}): Promise<unknown> {
  return request("api/auth/set-up", { method: "POST", body: input });
}
