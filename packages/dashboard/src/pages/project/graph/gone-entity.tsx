import { Link } from "@tanstack/react-router";

/** Why an entity is not there any more, and where to look for it. */
export function GoneEntity({ projectId }: { readonly projectId: string }) {
  const params = { projectId };
  return (
    <>
      It was renamed, merged or given another type, or the documents that mention it were changed. See{" "}
      <Link to="/projects/$projectId/corrections" params={params}>
        what was corrected
      </Link>
      , or go{" "}
      <Link to="/projects/$projectId/graph" params={params}>
        back to the graph
      </Link>
      .
    </>
  );
}
