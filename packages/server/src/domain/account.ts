/** Who makes a request: the account, and how it proved itself. */
export interface Caller {
  readonly accountId: string;
  readonly via: "api_key" | "session";
}
