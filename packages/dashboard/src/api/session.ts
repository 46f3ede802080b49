/** Who is signed in, and how that changes. */
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

/** Whether people may create accounts of their own, as the service wrote it into the page. */
export function isSignUpOpen(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="kcs-sign-up"]')?.content === "open";
}

export function signIn(input: { readonly email: string; readonly password: string }): Promise<unknown> {
  return request("api/auth/sign-in/email", { method: "POST", body: input });
}

export function signUp(input: { readonly email: string; readonly password: string }): Promise<unknown> {
  return request("api/auth/sign-up/email", { method: "POST", body: input });
}

export function signOut(): Promise<unknown> {
  return request("api/auth/sign-out", { method: "POST", body: {} });
}

/** Ends the account's other sessions. */
export function changePassword(input: {
  readonly currentPassword: string;
  readonly newPassword: string;
}): Promise<unknown> {
  return request("api/auth/change-password", { method: "POST", body: input });
}

export function completeSetUp(input: {
  readonly token: string;
  readonly email: string;
  readonly password: string;
}): Promise<unknown> {
  return request("api/auth/set-up", { method: "POST", body: input });
}
