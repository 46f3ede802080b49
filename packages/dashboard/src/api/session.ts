/** Who is signed in, and how that changes. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { kept } from "./kept.ts";
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

const lastKey = [kept, "last-account"];

/** Who is signed in, as somebody whose data may be in the page from now on; null when nobody is. */
export async function readSession(queryClient: QueryClient): Promise<Session | null> {
  const session = await queryClient.fetchQuery(sessionQuery);
  if (session !== null) queryClient.setQueryData(lastKey, session.user.email);
  return session;
}

/** Somebody has signed in after a session was over: unless it is the same person, nothing of that one is left in the page. */
export async function takeOver(queryClient: QueryClient): Promise<void> {
  const last = queryClient.getQueryData(lastKey);
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (last === undefined || last === session?.user.email) return;
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

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
