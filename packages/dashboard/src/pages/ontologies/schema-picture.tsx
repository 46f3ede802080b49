import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { SchemaDraft } from "./schema-draft.ts";
import { layOut, nodeHeight, nodeWidth, type SchemaLayout } from "./schema-layout.ts";
import styles from "./schema-picture.module.css";

/** A diagram of a schema: levels as rows, the most abstract one on top, and edge types as labelled arrows. */
export function SchemaPicture({ draft }: { readonly draft: SchemaDraft }) {
  const { ref, maxWidth } = useMaxWidth();
  const layout = useMemo(() => layOut(draft, maxWidth), [draft, maxWidth]);
  const description = `${counted(draft.nodeTypes.length, "type")} on ${counted(layout.levels.length, "level")}, ${counted(draft.edgeTypes.length, "relationship type")}.`;
  return (
    <div ref={ref}>
      {layout.nodes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: overflowing content must be scrollable with the keyboard.
        <section className={styles.frame} tabIndex={0} aria-label="Diagram of the schema">
          <Drawing layout={layout} description={description} />
        </section>
      )}
    </div>
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function Drawing({ layout, description }: { readonly layout: SchemaLayout; readonly description: string }) {
  const { width, height, nodes, edges, levels, isNarrow } = layout;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={description}>
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
        <text key={level} x="0" y={isNarrow ? y - 44 : y + nodeHeight / 2 + 4} className={styles.level}>
          Level {level}
        </text>
      ))}
      {edges.map(({ id, path, label, at, isAggregation }) => (
        <g key={id}>
          <path
            d={path}
            className={isAggregation ? styles.aggregates : styles.edge}
            markerEnd="url(#arrow)"
          />
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
  );
}

const initialMaxWidth = 960;
/** Padding and border of the frame. */
const frameWidth = 34;

/** The width in pixels up to which the diagram need not be scrolled. */
function useMaxWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [maxWidth, setMaxWidth] = useState(initialMaxWidth);
  useLayoutEffect(() => {
    const measured = ref.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() => setMaxWidth(measured.clientWidth - frameWidth));
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return { ref, maxWidth };
}

const maxNameCharacters = 17;

function shortened(name: string): string {
  return name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters - 1)}…` : name;
}
