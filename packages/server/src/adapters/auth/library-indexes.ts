import type { BetterAuthPlugin } from "better-auth";

/**
 * The library makes the indexes of a table's columns only together with the table: one whose creation was cut
 * off, or overtaken by another process, would stay away for ever. Indexes of this form are looked for at
 * every start.
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
    },
  } satisfies BetterAuthPlugin;
}
