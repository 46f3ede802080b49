import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { EditedType } from "./edited-type-dialog.tsx";
import type { FaultyTypes } from "./faulty-types.ts";
import type { PlacedEdge, PlacedNode, SchemaLayout } from "./schema-layout.ts";
import { labelWidth } from "./schema-layout.ts";
import styles from "./schema-picture.module.css";

type Edit = (edited: EditedType) => void;

interface Drag {
  readonly source: PlacedNode;
  readonly x: number;
  readonly y: number;
  /** The type under the pointer. */
  readonly target: string | null;
}

/** Names stay readable. */
export const leastScale = 0.9;
/** Less is a press that trembles. */
const minDragPixels = 6;

/** Types as boxes and edge types as labelled arrows. Faulty ones are red. Without `onEdit` it is a picture only. */
export function SchemaDrawing({
  layout: { width, height, nodes, edges },
  description,
  faulty,
  onEdit,
}: {
  readonly layout: SchemaLayout;
  readonly description: string;
  readonly faulty: FaultyTypes;
  readonly onEdit?: Edit;
}) {
  const { area, drag, handlers } = useDrag(nodes, onEdit);
  return (
    // Dragging repeats what the buttons of the form do.
    <svg
      ref={area}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      className={onEdit === undefined ? styles.still : undefined}
      // It is made smaller to fit, but stays readable; a larger one is scrolled.
      style={{ minWidth: `${Math.round(leastScale * width)}px` }}
      role={onEdit === undefined ? "img" : "group"}
      aria-label={description}
      {...(onEdit !== undefined && handlers)}
    >
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
      {edges.map((edge) => (
        <path
          key={edge.id}
          d={edge.path}
          className={edge.type === null ? styles.aggregates : styles.edge}
          markerEnd="url(#arrow)"
        />
      ))}
      {edges.map((edge) => (
        <EdgeLabel key={edge.id} edge={edge} faulty={faulty} onEdit={onEdit} />
      ))}
      {drag !== null && (
        <path d={`M${drag.source.x} ${drag.source.y} L${drag.x} ${drag.y}`} className={styles.drawn} />
      )}
      {nodes.map((node) => (
        <NodeBox
          key={node.name}
          node={node}
          fault={faulty.nodes.get(node.name)}
          isTarget={drag?.target === node.name}
          onEdit={onEdit}
        />
      ))}
    </svg>
  );
}

function NodeBox({
  node: { name, label, level, isKnown, x, y, width, height },
  fault = isKnown ? undefined : `There is no type “${name}”. Add it, or change the relationship.`,
  isTarget,
  onEdit,
}: {
  readonly node: PlacedNode;
  readonly fault?: string | undefined;
  /** What is dragged would be related to it. */
  readonly isTarget: boolean;
  readonly onEdit: Edit | undefined;
}) {
  const spoken = `${name}${level > 0 ? `, level ${level}` : ""}${fault === undefined ? "" : ", faulty"}`;
  return (
    <g
      {...(onEdit !== undefined &&
        asButton(`Edit ${spoken}`, () => onEdit({ kind: "node", at: isKnown ? name : null })))}
      data-type={name}
      className={`${styles.node} ${isKnown ? "" : styles.unknown} ${fault === undefined ? "" : styles.faulty} ${isTarget ? styles.target : ""}`}
    >
      {fault !== undefined && <title>{fault}</title>}
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx="8" />
      <text x={x} y={y + 4.5} className={styles.name}>
        {label}
      </text>
      {level > 0 && (
        <text x={x} y={y - height / 2 - 3} className={styles.level}>
          level {level}
        </text>
      )}
    </g>
  );
}

function EdgeLabel({
  edge: { label, at, type },
  faulty,
  onEdit,
}: {
  readonly edge: PlacedEdge;
  readonly faulty: FaultyTypes;
  readonly onEdit: Edit | undefined;
}) {
  if (type === null || label === "") return null;
  const fault = faulty.edges.get(type);
  const open = onEdit && (() => onEdit({ kind: "edge", at: type }));
  const width = labelWidth(label);
  return (
    <g
      {...(open !== undefined && {
        ...asButton(`Edit ${label}${fault === undefined ? "" : ", faulty"}`, open),
        onClick: open,
      })}
      className={`${styles.link} ${fault === undefined ? "" : styles.faulty}`}
    >
      {fault !== undefined && <title>{fault}</title>}
      <rect x={at.x - width / 2} y={at.y - 9} width={width} height="18" rx="5" />
      <text x={at.x} y={at.y + 4} className={styles.label}>
        {label}
      </text>
    </g>
  );
}

/** A button cannot be drawn in a picture. */
function asButton(label: string, open: () => void) {
  return {
    role: "button",
    tabIndex: 0,
    "aria-label": label,
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    },
  };
}

/** From one box to another: a new edge type between them. Without way: the box is pressed. */
function useDrag(nodes: readonly PlacedNode[], onEdit: Edit | undefined) {
  const area = useRef<SVGSVGElement>(null);
  const start = useRef<{ readonly node: PlacedNode; readonly x: number; readonly y: number } | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const handlers = {
    onPointerDown(event: PointerEvent) {
      const node = nodes.find(({ name }) => name === typeAt(event.clientX, event.clientY));
      if (node === undefined || event.button !== 0) return;
      start.current = { node, x: event.clientX, y: event.clientY };
      area.current?.setPointerCapture(event.pointerId);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = start.current;
      const box = area.current?.getBoundingClientRect();
      if (from === null || box === undefined) return;
      if (drag === null && Math.hypot(clientX - from.x, clientY - from.y) < minDragPixels) return;
      const scale = (area.current?.viewBox.baseVal.width ?? box.width) / box.width;
      const [x, y] = [scale * (clientX - box.left), scale * (clientY - box.top)];
      setDrag({ source: from.node, x, y, target: typeAt(clientX, clientY) });
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      const from = start.current;
      start.current = null;
      setDrag(null);
      if (from === null) return;
      const target = typeAt(clientX, clientY);
      const source = from.node.name;
      if (drag === null) onEdit?.({ kind: "node", at: from.node.isKnown ? source : null });
      else if (target !== null) onEdit?.({ kind: "edge", at: null, ends: { source, target } });
    },
    onPointerCancel() {
      start.current = null;
      setDrag(null);
    },
  };
  return { area, drag, handlers };
}

function typeAt(x: number, y: number): string | null {
  return document.elementFromPoint(x, y)?.closest("[data-type]")?.getAttribute("data-type") ?? null;
}
