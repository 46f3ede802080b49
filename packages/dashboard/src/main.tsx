import "@fontsource-variable/inter/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isUnreachable, statusOf } from "./api/fault.ts";
import { sessionQuery } from "./api/session.ts";
import { createQueryClient } from "./app/query-client.ts";
import { createAppRouter } from "./app/router.tsx";
import { applyTheme, storedTheme } from "./app/theme.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
applyTheme(storedTheme());
const queryClient = createQueryClient(() => {
  // The router reads the session before each page and redirects to the sign-in page, which leads back.
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.invalidate();
});
const router = createAppRouter(queryClient);

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

/** The page shows errors from the service, and that it is gone. Any other error is a bug and goes to the browser's console. */
function onCaughtError(error: unknown): void {
  if (statusOf(error) === null && !isUnreachable(error)) reportError(error);
}
