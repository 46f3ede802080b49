/** Limits that the service adds to the library's endpoints and tables. */
import type { GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";

const maxSessionsPerAccount = 50;

export function createLibraryRules(deps: { onKeysChanged: () => void }) {
  return {
    after: createAuthMiddleware(async (context) => {
      if (context.path !== "/api-key/create" && context.path !== "/api-key/delete") return;
      if (!(context.context.returned instanceof APIError)) deps.onKeysChanged();
    }),

    /**
     * The library deletes an expired session only when its cookie is sent again. Without this hook, sessions
     * would accumulate. A change of password is left out: with other accounts' rows its transaction could wait for another's.
     */
    async afterSignIn(session: { userId: string }, endpoint: GenericEndpointContext | null): Promise<void> {
      if (endpoint?.path !== "/sign-in/email") return;
      const { adapter } = endpoint.context;
      await adapter.deleteMany({
        model: "session",
        where: [{ field: "expiresAt", value: new Date(), operator: "lt" }],
      });
      const surplus = await adapter.findMany<{ id: string }>({
        model: "session",
        where: [{ field: "userId", value: session.userId }],
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
