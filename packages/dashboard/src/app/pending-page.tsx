import { useParams } from "@tanstack/react-router";
import { useIsLost } from "../api/use-is-lost.ts";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";

/** While a page is on its way. One that waits for the service needs a heading, which the pages of a project have above them. */
export function PendingPage() {
  const isLost = useIsLost();
  const { projectId } = useParams({ strict: false });
  return (
    <>
      {isLost && projectId === undefined && <PageHeader title="Not available" />}
      <PageSkeleton />
    </>
  );
}
