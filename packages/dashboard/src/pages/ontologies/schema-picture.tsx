import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { SchemaDraft } from "./schema-draft.ts";
import { layOut, nodeHeight, nodeWidth, type SchemaLayout } from "./schema-layout.ts";
import styles from "./schema-picture.module.css";

/** Levels as rows, the most abstract on top; edges as arrows with their names. */
export function SchemaPicture({ draft }: { readonly draft: SchemaDraft }) {
  const { ref, room } = useRoom();
  const layout = useMemo(() => layOut(draft, room), [draft, room]);
  const words = `${counted(draft.nodeTypes.length, "type")} on ${counted(layout.levels.length, "level")}, ${counted(draft.edgeTypes.length, "kind")} of ${draft.edgeTypes.length === 1 ? "relationship" : "relationships"}.`;
  return (
    <div ref={ref}>
      {layout.nodes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what overflows is scrolled with the keyboard.
        <section className={styles.frame} tabIndex={0} aria-label="Picture of the schema">
          <Drawing layout={layout} words={words} />
        </section>
      )}
    </div>
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function Drawing({ layout, words }: { readonly layout: SchemaLayout; readonly words: string }) {
  const { width, height, nodes, edges, levels, isNarrow } = layout;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={words}>
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
  );
}

const usualRoom = 960;
/** The frame's padding and border. */
const framed = 34;

/** How wide the picture may be without being scrolled, in pixels. */
function useRoom() {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(usualRoom);
  useLayoutEffect(() => {
    const measured = ref.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() => setRoom(measured.clientWidth - framed));
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return { ref, room };
}

const longest = 17;

function shortened(name: string): string {
  return name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
}
