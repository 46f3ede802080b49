import { Link } from "@tanstack/react-router";

/** A name that leads to its entity in the graph. */
export function EntityLink(props: {
  readonly projectId: string;
  readonly name: string;
  readonly className: string | undefined;
}) {
  const { projectId, name, className = "" } = props;
  return (
    <Link
      to="/projects/$projectId/graph"
      params={{ projectId }}
      search={{ find: name }}
      className={className}
      dir="auto"
    >
      {name}
    </Link>
  );
}
