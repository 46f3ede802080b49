/** The session: reading it, signing in and out, and changing the password. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { toasts } from "../app/toasts/toast-store.ts";
import { forgetAsked } from "./asked-questions.ts";
import { connection } from "./connection.ts";
import { deletions } from "./deletions.ts";
import { isUnreachable, statusOf } from "./fault.ts";
import { request } from "./request.ts";
import { retainedKey } from "./retained-key.ts";
import { forgetUploadNotes } from "./upload-notes.ts";

export interface Session {
  readonly user: { readonly email: string; readonly name: string };
}

/** null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => request<Session | null>("api/auth/get-session", { signal }),
  staleTime: 60_000,
  // A page that is opened while the service is gone must say so.
  networkMode: "always",
});

const lastAccountKey = [retainedKey, "last-account"];

/**
 * Reads the session and remembers its account, whose data the page may contain from now on. null when nobody is signed in. While the
 * service cannot be reached it is the one that was read last: a page that is shown stays, and each request checks the session anyway.
 */
export async function readSession(queryClient: QueryClient): Promise<Session | null> {
  const known = queryClient.getQueryData(sessionQuery.queryKey) ?? null;
  if (known !== null && connection.isLost()) return known;
  const session = await queryClient.fetchQuery(sessionQuery).catch((error: unknown) => {
    if (known !== null && isUnreachable(error)) return known;
    throw error;
  });
  if (session !== null) queryClient.setQueryData(lastAccountKey, session.user.email);
  return session;
}

/** Called after a sign-in. Removes all data of the previous account from the page, unless the same account signed in. */
export async function startSession(queryClient: QueryClient): Promise<void> {
  const last = queryClient.getQueryData(lastAccountKey);
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (last === undefined || last === session?.user.email) return;
  queryClient.clear();
  forgetAsked(null);
  forgetUploadNotes();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** Whether visitors may create accounts. The service writes this setting into the page. */
export function isSignUpOpen(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="kcs-sign-up"]')?.content === "open";
}

export async function signIn(input: { readonly email: string; readonly password: string }): Promise<unknown> {
  try {
    return await request("api/auth/sign-in/email", { method: "POST", body: input });
  } catch (error) {
    // In the words of the form, whatever the service calls them.
    if (statusOf(error) === 401) throw new Error("Invalid e-mail address or password", { cause: error });
    throw error;
  }
}

export function signUp(input: { readonly email: string; readonly password: string }): Promise<unknown> {
  return request("api/auth/sign-up/email", { method: "POST", body: input });
}

/**
 * Also removes what this browser has kept of the account, and the notices with an undo. Deletions that still wait are sent
 * before; a notice of one that fails stays.
 */
export async function signOut(): Promise<unknown> {
  toasts.closeAll();
  await deletions.flush();
  forgetAsked(null);
  forgetUploadNotes();
  return request("api/auth/sign-out", { method: "POST", body: {} });
}

/** Also ends the account's other sessions. */
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
