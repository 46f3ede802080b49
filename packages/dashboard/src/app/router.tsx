import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { basePath } from "../api/address.ts";
import { projectQuery } from "../api/projects.ts";
import { sessionQuery } from "../api/session.ts";
import { PageFault } from "../components/page-fault.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { NotFoundPage } from "../pages/not-found.tsx";
import { SignInPage } from "../pages/sign-in.tsx";
import { Shell } from "./shell.tsx";

interface RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): { readonly next?: string } =>
    typeof search["next"] === "string" && /^\/(?!\/)/.test(search["next"]) ? { next: search["next"] } : {},
  component: SignInPage,
});

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/set-up",
  component: lazyRouteComponent(() => import("../pages/set-up.tsx"), "SetUpPage"),
});

/** Everything that only somebody who is signed in sees. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  component: Shell,
  async beforeLoad({ context, location }) {
    const session = await context.queryClient.fetchQuery(sessionQuery);
    if (session === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/projects" });
  },
});

const projectsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/projects",
  component: lazyRouteComponent(() => import("../pages/projects.tsx"), "ProjectsPage"),
});

const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/projects/$projectId",
  loader: ({ context, params }) => context.queryClient.ensureQueryData(projectQuery(params.projectId)),
  component: lazyRouteComponent(() => import("../pages/project.tsx"), "ProjectLayout"),
});

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  component: lazyRouteComponent(() => import("../pages/project/overview.tsx"), "OverviewPage"),
});

const ingestRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ingest",
  component: lazyRouteComponent(() => import("../pages/project/ingest.tsx"), "IngestPage"),
});

const askRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ask",
  component: lazyRouteComponent(() => import("../pages/project/ask.tsx"), "AskPage"),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("../pages/api-keys.tsx"), "ApiKeysPage"),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  setUpRoute,
  signedInRoute.addChildren([
    homeRoute,
    projectsRoute,
    projectRoute.addChildren([overviewRoute, ingestRoute, askRoute]),
    apiKeysRoute,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: basePath(),
    context: { queryClient },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFault,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
