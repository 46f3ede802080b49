import { Link } from "@tanstack/react-router";
import type { BoundProjects } from "../../api/ontologies.ts";

/** Links to the projects that use an ontology, with the version where it is an earlier one, and the number of further ones. */
export function UsedIn({ projects: { count, named, newest } }: { readonly projects: BoundProjects }) {
  const more = count - named.length;
  return (
    <>
      {named.map(({ id, name, version }, at) => (
        <span key={id}>
          {at > 0 && (at === named.length - 1 && more <= 0 ? " and " : ", ")}
          <Link to="/projects/$projectId" params={{ projectId: id }}>
            <bdi>{name}</bdi>
          </Link>
          {version !== newest && ` (version ${version})`}
        </span>
      ))}
      {more > 0 && `${named.length > 0 ? " and " : ""}${counted(more, named.length > 0)}`}
    </>
  );
}

function counted(count: number, isMore: boolean): string {
  return `${count.toLocaleString("en")} ${isMore ? "more" : count === 1 ? "project" : "projects"}`;
}
