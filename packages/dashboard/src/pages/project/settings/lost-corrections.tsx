import type { OntologyChanges, OntologySchema } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { counted } from "../../../components/counted.ts";
import { Notice } from "../../../components/notice.tsx";
import { fitTo } from "../corrections/ontology-fit.ts";
import { correctionWords } from "../entity/correction-words.ts";
import styles from "./change-ontology.module.css";

/** What no comparison of types can tell. */
const onlyByType =
  "A correction stops working if the new reading gives its name another type. Afterwards “Corrections” lists those that did, and can make them again.";
/** More are only counted. */
const maxNamed = 8;

/** What people corrected is kept, but an ontology without the types that it names gives it no effect. */
export function LostCorrections({
  projectId,
  corrections,
  schema,
}: Pick<OntologyChanges, "corrections"> & {
  readonly projectId: string;
  /** null while it is read. */
  readonly schema: OntologySchema | null;
}) {
  const lost = corrections.filter(({ without_effect: count }) => count > 0);
  const named = useLostNamed(projectId, lost, schema);
  const all = corrections.reduce((sum, each) => sum + each.corrections, 0);
  if (all === 0) return null;
  if (lost.length === 0)
    return (
      <p>
        The ontology has the types of {all === 1 ? "the correction" : `all ${counted(all, "correction")}`}.{" "}
        {onlyByType}
      </p>
    );
  return (
    <Notice kind="warn">
      <p>
        {lost.reduce((sum, each) => sum + each.without_effect, 0).toLocaleString("en")} of{" "}
        {counted(all, "correction")} will have no effect:{" "}
        {lost.map(({ kind, without_effect: count }) => counted(count, ...kindWords[kind])).join(", ")}. They
        are kept, and take effect again under an ontology that has their types.
      </p>
      <p>{onlyByType}</p>
      {named.length > 0 && (
        <ul aria-label="Corrections without effect" className={styles.lost}>
          {named.map(({ id, words }) => (
            <li key={id}>
              <bdi>{words}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Those that will have no effect, in words; none where they are many, or others than the service counts. */
function useLostNamed(
  projectId: string,
  lost: OntologyChanges["corrections"],
  schema: OntologySchema | null,
): readonly { readonly id: string; readonly words: string }[] {
  const count = lost.reduce((sum, each) => sum + each.without_effect, 0);
  const isNamed = schema !== null && count <= maxNamed;
  const { data = [] } = useQuery({ ...allCorrectionsQuery(projectId), enabled: isNamed && count > 0 });
  if (!isNamed) return [];
  const fits = fitTo(schema);
  const kinds = new Set(lost.map(({ kind }) => kind));
  const named = data.filter((each) => kinds.has(each.kind) && !fits(each));
  return named.length === count
    ? named.map((each) => ({ id: each.correction_id, words: correctionWords(each) }))
    : [];
}

const kindWords: Record<OntologyChanges["corrections"][number]["kind"], readonly [string, string]> = {
  rename: ["renaming", "renamings"],
  retype: ["change of type", "changes of type"],
  merge: ["merge", "merges"],
  split: ["split", "splits"],
  add_property: ["added property", "added properties"],
  remove_property: ["removed property", "removed properties"],
  add_relationship: ["added relationship", "added relationships"],
  reject: ["rejection", "rejections"],
  confirm: ["confirmation", "confirmations"],
};
