/** The account that makes a request, and how it authenticated. */
export interface Caller {
  readonly accountId: string;
  readonly via: "api_key" | "session";
  /** Of the API key; absent in a session. */
  readonly keyId?: string;
}
