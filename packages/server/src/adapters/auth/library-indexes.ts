import type { BetterAuthPlugin } from "better-auth";

const time = { type: "date", required: true, input: false } as const;

/**
 * The library creates indexes of columns only together with their table. If that is interrupted, or another
 * process creates the table at the same time, such an index is missing forever. Indexes declared in this form
 * are checked at every start. The table `signInFailure` is the service's own (`password-limits.ts`).
 */
export function libraryIndexes() {
  return {
    id: "kcs-indexes",
    schema: {
      apikey: {
        fields: {},
        indexes: [
          { name: "kcs_apikey_by_key", fields: ["key"], unique: true },
          { name: "kcs_apikey_by_account", fields: ["referenceId"] },
        ],
      },
      session: {
        fields: {},
        indexes: [
          { name: "kcs_session_by_user", fields: ["userId"] },
          { name: "kcs_session_by_end", fields: ["expiresAt"] },
        ],
      },
      account: { fields: {}, indexes: [{ name: "kcs_account_by_user", fields: ["userId"] }] },
      verification: {
        fields: {},
        indexes: [{ name: "kcs_verification_by_identifier", fields: ["identifier"] }],
      },
      signInFailure: { fields: { clearAt: time, nextAt: time } },
    },
  } satisfies BetterAuthPlugin;
}
