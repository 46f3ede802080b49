import { statusOf } from "../api/fault.ts";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";

/** Shown when a route fails before its page can be rendered. */
export function RouteFault({ error }: { readonly error: unknown }) {
  const isGone = statusOf(error) === 404;
  return (
    <>
      <PageHeader title={isGone ? "Not found" : "Not available"} />
      <PageFault error={error} />
    </>
  );
}
