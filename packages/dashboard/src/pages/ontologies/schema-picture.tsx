import type { SchemaDraft } from "./schema-draft.ts";
import { layOut, nodeHeight, nodeWidth } from "./schema-layout.ts";
import styles from "./schema-picture.module.css";

/** Levels as rows, the most abstract on top; edges as arrows with their names. */
export function SchemaPicture({ draft }: { readonly draft: SchemaDraft }) {
  const { width, height, nodes, edges, levels } = layOut(draft);
  if (nodes.length === 0) return <p className={styles.none}>Types are drawn here as you add them.</p>;
  const described = `${nodes.length} types on ${levels.length} ${levels.length === 1 ? "level" : "levels"}, ${draft.edgeTypes.length} ${draft.edgeTypes.length === 1 ? "kind of relationship" : "kinds of relationships"}.`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what overflows is scrolled with the keyboard.
    <section className={styles.frame} tabIndex={0} aria-label="Picture of the schema">
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={described}>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0 8 4 0 8z" className={styles.tip} />
          </marker>
        </defs>
        {levels.map(({ level, y }) => (
          <text key={level} x="0" y={y + nodeHeight / 2 + 4} className={styles.level}>
            Level {level}
          </text>
        ))}
        {edges.map(({ id, path, label, at, isGathering }) => (
          <g key={id}>
            <path d={path} className={isGathering ? styles.gathers : styles.edge} markerEnd="url(#arrow)" />
            {label !== "" && (
              <text x={at.x} y={at.y} className={styles.label}>
                {label}
              </text>
            )}
          </g>
        ))}
        {nodes.map(({ name, x, y }) => (
          <g key={name}>
            <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx="8" className={styles.node} />
            <text x={x + nodeWidth / 2} y={y + nodeHeight / 2 + 5} className={styles.name}>
              {shortened(name)}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}

const longest = 17;

function shortened(name: string): string {
  return name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
}
