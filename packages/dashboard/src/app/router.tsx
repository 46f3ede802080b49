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
import type { CorrectionState } from "../api/corrections.ts";
import { type JobStatus, jobStatuses } from "../api/job-status.ts";
import { readSession } from "../api/session.ts";
import { NotFoundPage } from "../pages/not-found.tsx";
import { readAskSearch } from "../pages/project/ask/ask-address.ts";
import { readDocumentsAddress } from "../pages/project/documents/documents-address.ts";
import { readGraphAddress } from "../pages/project/graph/graph-address.ts";
import { SignInPage } from "../pages/sign-in.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { patient } from "./patient-import.ts";
import { PendingPage } from "./pending-page.tsx";
import { RouteFault } from "./route-fault.tsx";
import { ToastRegion } from "./toasts/toast-region.tsx";

interface RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFoundPage,
});

function Root() {
  return (
    <>
      <ConnectionBanner />
      <Outlet />
      <ToastRegion />
    </>
  );
}

/** The component of a page whose code is loaded when it is opened. */
function page<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(patient(load), name);
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: ({ next, isNew }): { readonly next?: string; readonly isNew?: true } => ({
    ...(typeof next === "string" && /^\/(?!\/)/.test(next) && { next }),
    // After a sign-up, which does not say whether the address already had an account.
    ...(isNew === true && { isNew }),
  }),
  component: SignInPage,
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  component: page(() => import("../pages/sign-up.tsx"), "SignUpPage"),
});

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/set-up",
  component: page(() => import("../pages/set-up.tsx"), "SetUpPage"),
});

/** Parent of all pages that require a session. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  component: page(() => import("./shell.tsx"), "Shell"),
  errorComponent: page(() => import("./shell.tsx"), "ShellWithFault"),
  async beforeLoad({ context, location }) {
    const session = await readSession(context.queryClient);
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
  // With the dialog for a new one open.
  validateSearch: (search: Record<string, unknown>): { readonly new?: true } =>
    search["new"] === true ? { new: true } : {},
  component: page(() => import("../pages/projects.tsx"), "ProjectsPage"),
});

/** The client of the API comes with the first page that needs it: nothing else here imports it, or signing in would load it. */
const loadProjects = patient(() => import("../api/projects.ts"));

const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/projects/$projectId",
  async loader({ context, params }) {
    const { projectQuery } = await loadProjects();
    return context.queryClient.ensureQueryData(projectQuery(params.projectId));
  },
  component: page(() => import("../pages/project.tsx"), "ProjectLayout"),
});

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  component: page(() => import("../pages/project/overview.tsx"), "OverviewPage"),
});

const ingestRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ingest",
  validateSearch: (search: Record<string, unknown>): { readonly name?: string } => ({
    ...(textIn(search, "name") !== "" && { name: textIn(search, "name") }),
  }),
  component: page(() => import("../pages/project/ingest.tsx"), "IngestPage"),
});

const documentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/documents",
  validateSearch: readDocumentsAddress,
  component: page(() => import("../pages/project/documents.tsx"), "DocumentsPage"),
});

/** The id is a search parameter, because it may contain slashes. */
const documentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/document",
  validateSearch: (
    search: Record<string, unknown>,
  ): { readonly id: string; readonly chunk?: string; readonly mark?: string } => ({
    id: textIn(search, "id"),
    ...(textIn(search, "chunk") === "" ? {} : { chunk: textIn(search, "chunk") }),
    // The start and the end of a sentence in the text.
    ...(/^\d{1,9}-\d{1,9}$/.test(textIn(search, "mark")) ? { mark: textIn(search, "mark") } : {}),
  }),
  component: page(() => import("../pages/project/document.tsx"), "DocumentPage"),
});

const jobsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/jobs",
  validateSearch: (
    search: Record<string, unknown>,
  ): { readonly from?: number; readonly state?: JobStatus } => {
    const state = jobStatuses.find((status) => status === search["state"]);
    return {
      ...(positionIn(search, "from") === 0 ? {} : { from: positionIn(search, "from") }),
      ...(state === undefined ? {} : { state }),
    };
  },
  component: page(() => import("../pages/project/jobs.tsx"), "JobsPage"),
});

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings",
  component: page(() => import("../pages/project/settings.tsx"), "SettingsPage"),
});

const askRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ask",
  validateSearch: readAskSearch,
  component: page(() => import("../pages/project/ask.tsx"), "AskPage"),
});

const graphRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/graph",
  validateSearch: readGraphAddress,
  component: page(() => import("../pages/project/graph.tsx"), "GraphPage"),
});

const entityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/entity",
  // With its name and type it is found again when a correction has given it another id.
  validateSearch: (
    search: Record<string, unknown>,
  ): { readonly id: string; readonly name?: string; readonly type?: string } => ({
    id: textIn(search, "id"),
    ...(textIn(search, "name") !== "" && { name: textIn(search, "name") }),
    ...(textIn(search, "type") !== "" && { type: textIn(search, "type") }),
  }),
  component: page(() => import("../pages/project/entity.tsx"), "EntityPage"),
});

const correctionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/corrections",
  validateSearch: (
    search: Record<string, unknown>,
  ): { readonly from?: number; readonly state?: CorrectionState } => ({
    ...(positionIn(search, "from") > 0 && { from: positionIn(search, "from") }),
    ...(textIn(search, "state") === "without_evidence" && { state: "without_evidence" }),
  }),
  component: page(() => import("../pages/project/corrections.tsx"), "CorrectionsPage"),
});

const ontologiesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/ontologies",
  component: page(() => import("../pages/ontologies.tsx"), "OntologiesPage"),
});

const newOntologyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/ontologies/new",
  validateSearch: readBegunFrom,
  component: page(() => import("../pages/new-ontology.tsx"), "NewOntologyPage"),
});

const suggestOntologyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/ontologies/suggest",
  validateSearch: readBegunFrom,
  component: page(() => import("../pages/suggest-ontology.tsx"), "SuggestOntologyPage"),
});

const ontologyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/ontologies/$ontologyId",
  validateSearch: readBegunFrom,
  component: page(() => import("../pages/ontology.tsx"), "OntologyPage"),
});

const ontologyVersionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/ontologies/$ontologyId/versions/$version",
  component: page(() => import("../pages/ontology-version.tsx"), "OntologyVersionPage"),
});

const ontologyCompareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/ontologies/$ontologyId/compare",
  validateSearch: (
    search: Record<string, unknown>,
  ): { readonly before?: number; readonly after?: number } => ({
    ...(positionIn(search, "before") > 0 && { before: positionIn(search, "before") }),
    ...(positionIn(search, "after") > 0 && { after: positionIn(search, "after") }),
  }),
  component: page(() => import("../pages/ontology-compare.tsx"), "OntologyComparePage"),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/api-keys",
  component: page(() => import("../pages/api-keys.tsx"), "ApiKeysPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/webhooks",
  component: page(() => import("../pages/webhooks.tsx"), "WebhooksPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/webhooks/$webhookId",
  component: page(() => import("../pages/webhook.tsx"), "WebhookPage"),
});

const agentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/agents",
  component: page(() => import("../pages/agents.tsx"), "AgentsPage"),
});

const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/usage",
  component: page(() => import("../pages/usage.tsx"), "UsagePage"),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/account",
  component: page(() => import("../pages/account.tsx"), "AccountPage"),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  setUpRoute,
  signedInRoute.addChildren([
    homeRoute,
    projectsRoute,
    projectRoute.addChildren([
      overviewRoute,
      ingestRoute,
      documentsRoute,
      documentRoute,
      askRoute,
      graphRoute,
      entityRoute,
      correctionsRoute,
      jobsRoute,
      settingsRoute,
    ]),
    ontologiesRoute,
    newOntologyRoute,
    suggestOntologyRoute,
    ontologyRoute,
    ontologyVersionRoute,
    ontologyCompareRoute,
    apiKeysRoute,
    webhooksRoute,
    webhookRoute,
    agentsRoute,
    usageRoute,
    accountRoute,
  ]),
]);

/** The project from which an ontology was begun. */
function readBegunFrom(search: Record<string, unknown>): { readonly project?: string } {
  return textIn(search, "project") === "" ? {} : { project: textIn(search, "project") };
}

/** The value of a search parameter, or "". */
function textIn(search: Record<string, unknown>, name: string): string {
  const value = search[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function positionIn(search: Record<string, unknown>, name: string): number {
  const value = Number(search[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: basePath(),
    context: { queryClient },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: RouteFault,
    defaultOnCatch: () => undefined, // main.tsx reports errors that are not responses of the service.
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
