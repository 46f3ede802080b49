/** Limits that the service adds to the library's endpoints and tables. */
import type { GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { PasswordChanges } from "./password-changes.ts";

const maxSessionsPerAccount = 50;

export function createLibraryRules(deps: {
  onKeysChanged: () => void;
  passwordChanges: Pick<PasswordChanges, "requireChecked">;
}) {
  return {
    after: createAuthMiddleware(async (context) => {
      if (context.path !== "/api-key/create" && context.path !== "/api-key/delete") return;
      if (!(context.context.returned instanceof APIError)) deps.onKeysChanged();
    }),

    /** In the transaction of the sign-in, which waits for a change of the password and then sees it. Without a limit, sessions would accumulate. */
    async afterSignIn(session: { userId: string }, endpoint: GenericEndpointContext | null): Promise<void> {
      if (endpoint?.path !== "/sign-in/email") return;
      const { adapter } = endpoint.context;
      await deps.passwordChanges.requireChecked(adapter, session.userId);
      const surplus = await adapter.findMany<{ id: string }>({
        model: "session",
        where: [
          { field: "userId", value: session.userId },
          { field: "expiresAt", value: new Date(), operator: "gte" },
        ],
        sortBy: { field: "createdAt", direction: "desc" },
        offset: maxSessionsPerAccount,
        limit: 100,
      });
      if (surplus.length === 0) return;
      const where = [{ field: "id", value: surplus.map(({ id }) => id), operator: "in" as const }];
      await adapter.deleteMany({ model: "session", where });
    },
  };
}
