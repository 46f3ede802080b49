import { counted } from "../../../components/counted.ts";
import styles from "./graph-count.module.css";
import { countTypes, type Scene } from "./scene.ts";
import { TypeMark } from "./type-mark.tsx";

/** More are in the filter. */
const maxTypes = 12;

/** The colours and shapes of the most frequent types, and what the pointer does. */
export function GraphLegend({ scene }: { readonly scene: Scene }) {
  const types = countTypes(scene.nodes.map(({ type }) => type));
  const more = types.length - maxTypes;
  return (
    <div className={styles.legend}>
      <ul className={styles.types}>
        {types.slice(0, maxTypes).map(({ type }) => (
          <li key={type}>
            <TypeMark type={type} /> {type}
          </li>
        ))}
        {more > 0 && <li>and {counted(more, "more type")}</li>}
        {scene.edges.some(({ types: links }) => links.length === 0) && (
          <li>
            <svg className={styles.thin} viewBox="0 0 16 2" aria-hidden>
              <path d="M0 1h16" />
            </svg>{" "}
            Mentioned together, no relationship
          </li>
        )}
      </ul>
      <p className={styles.hint}>
        {scene.kind === "around"
          ? "Click centres, shift-click expands, dragging pins, Esc goes back."
          : "Click an entity to explore from it, a line to read its sentences."}
      </p>
    </div>
  );
}
