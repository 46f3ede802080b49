import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { EditedType } from "./edited-type-dialog.tsx";
import { faultyTypes } from "./faulty-types.ts";
import type { SchemaDraft } from "./schema-draft.ts";
import { leastScale, SchemaDrawing } from "./schema-drawing.tsx";
import { layOut } from "./schema-layout.ts";
import styles from "./schema-picture.module.css";

const noFaults: readonly string[] = [];

/**
 * A diagram of a schema, in which types are opened, and connected by dragging from one to another. Without `onEdit` it
 * is only looked at.
 */
export function SchemaPicture({
  draft,
  faults = noFaults,
  onEdit,
}: {
  readonly draft: SchemaDraft;
  readonly faults?: readonly string[];
  readonly onEdit?: (edited: EditedType) => void;
}) {
  const { ref, maxWidth } = useMaxWidth();
  const layout = useMemo(() => layOut(draft, maxWidth), [draft, maxWidth]);
  const faulty = useMemo(() => faultyTypes(faults), [faults]);
  const levels = new Set(draft.nodeTypes.map(({ level }) => level)).size;
  const description = `${counted(draft.nodeTypes.length, "type")} on ${counted(levels, "level")}, ${counted(draft.edgeTypes.length, "relationship type")}.`;
  return (
    <section aria-label="Picture of the schema" ref={ref} className={styles.picture}>
      {onEdit !== undefined && (
        <div className={styles.head}>
          <p className={styles.hint}>
            {draft.nodeTypes.length > 0 &&
              "Drag from one type to another to relate them. Press one to edit it."}
          </p>
        </div>
      )}
      {leastScale * layout.width > maxWidth && (
        <p className={styles.hint}>
          The picture is wider than the page: scroll it sideways to see all of it.
        </p>
      )}
      {layout.nodes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: overflowing content must be scrollable with the keyboard.
        <section className={styles.frame} tabIndex={0} aria-label="Diagram of the schema">
          <SchemaDrawing
            layout={layout}
            description={description}
            faulty={faulty}
            {...(onEdit !== undefined && { onEdit })}
          />
        </section>
      )}
    </section>
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const initialMaxWidth = 960;
/** Padding and border of the frame. */
const frameWidth = 34;

/** The width in pixels up to which the diagram need not be scrolled. */
function useMaxWidth() {
  const ref = useRef<HTMLElement>(null);
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
