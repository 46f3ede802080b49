import { queryOptions } from "@tanstack/react-query";
import { service } from "../../api/service.ts";
import { readWords } from "./read-words.ts";

/** So many relationships show which kinds there are. */
const maxRead = 500;

/** What was read from the documents of a project, as a description; "" where nothing was. */
export function readWordsQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "read-words"],
    async queryFn({ signal }) {
      const [{ entities_by_type: types }, { relationships }, { proposals }] = await Promise.all([
        service.projects.stats(projectId, { signal }),
        service.graph.relationships(projectId, { limit: maxRead }, { signal }),
        service.graph.proposals(projectId, { limit: maxRead }, { signal }),
      ]);
      return readWords({ entityTypes: types.map(({ type }) => type), relationships, proposals });
    },
  });
}
