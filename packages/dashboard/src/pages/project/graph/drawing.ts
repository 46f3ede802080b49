/** Sigma with names, links and highlights of our own. */
import Sigma from "sigma";
import { animateNodes } from "sigma/utils";
import { createApproach } from "./approach-line.ts";
import { letDrag } from "./drag-nodes.ts";
import { drawRingWith } from "./draw-hover.ts";
import {
  createDrawnGraph,
  type Drawn,
  type DrawnGraph,
  type EdgeAttributes,
  isSameLook,
  type Look,
  type NodeAttributes,
  type Renderer,
} from "./drawn-graph.ts";
import { createLineProgram } from "./line-program.ts";
import { addNameLayer } from "./name-layer.ts";
import { nearestEdge } from "./nearest-edge.ts";
import { createNodeProgram } from "./node-program.ts";
import { pictureOf } from "./picture-legend.ts";
import type { Position, Positions } from "./radial-layout.ts";
import type { Scene } from "./scene.ts";
import { paintOf } from "./type-sign.ts";

export interface DrawingEvents {
  /** `isMore`: with the shift key. */
  readonly onNode: (id: string, isMore: boolean) => void;
  readonly onEdge: (id: string) => void;
  readonly onStage: () => void;
  readonly onPin: (id: string, position: Position) => void;
}

export interface Shown {
  readonly scene: Scene;
  readonly positions: Positions;
  readonly look: Look;
}

export interface Drawing {
  /** Moves what is drawn already to its new place. `isNew`: the camera shows all of it. */
  show(shown: Shown, isNew: boolean): void;
  /** Two ends of a line, or nothing: then the camera goes back from it. */
  highlight(edge: string | null): void;
  /** Moves the camera until the ends of the highlighted line are apart and in sight. */
  approach(): void;
  zoom(direction: "in" | "out" | "all"): void;
  pan(across: number, down: number): void;
  /** As a picture file of at least two pixels for each of the page, with a caption and a legend. */
  toBlob(caption: string): Promise<Blob | null>;
  end(): void;
}

/** Up to this number of entities the neighbours of the one under the pointer stand out, and what moves is seen to. */
const maxLively = 1_500;
/** Half of the width and height of the smallest drawings: they are not enlarged further. */
const leastExtent: Position = { x: 200, y: 120 };
/** Of the width, on each side. */
const nameShare = 0.04;
const moveMs = 350;

export function createDrawing(container: HTMLElement, events: DrawingEvents): Drawing {
  const look: Look = { paint: paintOf(false), isDark: false, slots: new Map() };
  const drawn: Drawn = {
    ...{ graph: createDrawnGraph(nothing, new Map(), look), scene: null, look, order: [] },
    ...{ hovered: null, chosenEdge: null, strong: null, isMoving: false, isPicture: false },
  };
  const sigma = createRenderer(container, drawn);
  addNameLayer(sigma, drawn);
  listen(sigma, drawn, events);
  const resized = new ResizeObserver(() => {
    sigma.resize();
    sigma.refresh();
  });
  resized.observe(container);
  const approaching = createApproach(sigma);
  let stopMoving = () => {};
  return {
    show(shown, isNew) {
      stopMoving();
      stopMoving = showIn(sigma, drawn, shown);
      if (!isNew) return;
      approaching.forget();
      sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
    },
    highlight(edge) {
      drawn.chosenEdge = edge !== null && drawn.graph.hasEdge(edge) ? edge : null;
      fade(sigma, drawn);
      if (edge === null) approaching.goBack(moveTime());
    },
    approach() {
      const { chosenEdge, graph } = drawn;
      if (chosenEdge !== null) approaching.approach(graph.extremities(chosenEdge), moveTime());
    },
    zoom(direction) {
      const camera = sigma.getCamera();
      const options = { duration: moveTime() };
      if (direction === "all") void camera.animatedReset(options);
      else if (direction === "in") void camera.animatedZoom(options);
      else void camera.animatedUnzoom(options);
    },
    pan(across, down) {
      const { x, y, ratio } = sigma.getCamera().getState();
      sigma.getCamera().setState({ x: x + across * ratio, y: y - down * ratio });
    },
    toBlob(caption) {
      // WebGL forgets its picture after the frame, so it is drawn and copied at once.
      drawn.isPicture = true;
      return withFinePixels(sigma, () => {
        drawn.isPicture = false;
        const { width } = sigma.getDimensions();
        return pictureOf(Object.values(sigma.getCanvases()), { width, caption, ...drawn });
      });
    },
    end() {
      stopMoving();
      approaching.forget();
      resized.disconnect();
      sigma.kill();
    },
  };
}

const nothing: Scene = { kind: "overview", centre: null, nodes: [], edges: [] };

function createRenderer(container: HTMLElement, drawn: Drawn): Renderer {
  const program = createNodeProgram(() => channelsOf(drawn.look.paint.surface));
  return new Sigma<NodeAttributes, EdgeAttributes>(drawn.graph, container, {
    allowInvalidContainer: true,
    enableEdgeEvents: true,
    renderLabels: false,
    defaultNodeType: "shape",
    nodeProgramClasses: { shape: program },
    nodeHoverProgramClasses: { shape: program },
    edgeProgramClasses: { arrow: createLineProgram(true), line: createLineProgram(false) },
    defaultDrawNodeHover: drawRingWith(() => drawn.look.paint),
    labelFont: '"Inter Variable", system-ui, sans-serif',
    stagePadding: 40,
    zIndex: true,
    minCameraRatio: 0.02,
    maxCameraRatio: 4,
  });
}

function listen(sigma: Renderer, drawn: Drawn, events: DrawingEvents): void {
  const container = sigma.getContainer();
  const point = (isOver: boolean) => {
    container.style.cursor = isOver ? "pointer" : "";
  };
  const hover = (node: string | null) => {
    drawn.hovered = node;
    point(node !== null);
    if (drawn.graph.order <= maxLively) fade(sigma, drawn);
    else sigma.scheduleRender();
  };
  sigma.on("enterNode", ({ node }) => hover(node));
  sigma.on("leaveNode", () => hover(null));
  sigma.on("clickEdge", ({ edge }) => events.onEdge(edge));
  sigma.on("clickStage", ({ event }) => {
    const edge = nearestEdge(sigma, drawn.graph, event);
    if (edge === null) events.onStage();
    else events.onEdge(edge);
  });
  sigma.on("moveBody", ({ event }) => {
    // Nothing of Sigma's own is under the pointer, and few lines are measured quickly enough.
    if (drawn.hovered === null && drawn.graph.size <= maxLively)
      point(nearestEdge(sigma, drawn.graph, event) !== null);
  });
  const isDrag = letDrag(sigma, events.onPin);
  sigma.on("clickNode", ({ node, event }) => {
    if (!isDrag()) events.onNode(node, event.original.shiftKey === true);
  });
  sigma.on("doubleClickNode", ({ preventSigmaDefault }) => preventSigmaDefault());
}

/** Returns what stops the movement to the new places. */
function showIn(sigma: Renderer, drawn: Drawn, { scene, positions, look }: Shown): () => void {
  const before = drawn.graph;
  if (scene === drawn.scene && isSameLook(look, drawn.look) && !hasMotion(before)) {
    sigma.setCustomBBox(extentOf(positions));
    move(before, positions);
    return () => {};
  }
  const graph = createDrawnGraph(scene, positions, look);
  const isFirst = (id: string) => Number(id === scene.centre);
  const order = scene.nodes.toSorted((a, b) => isFirst(b.id) - isFirst(a.id) || b.degree - a.degree);
  const targets = hasMotion(graph) && before.order > 0 ? movedFrom(before, graph) : null;
  Object.assign(drawn, {
    ...{ graph, scene, look, order: order.map(({ id }) => id), hovered: null, isMoving: targets !== null },
    chosenEdge: drawn.chosenEdge !== null && graph.hasEdge(drawn.chosenEdge) ? drawn.chosenEdge : null,
  } satisfies Partial<Drawn>);
  sigma.setCustomBBox(extentOf(positions));
  sigma.setGraph(graph);
  fade(sigma, drawn);
  if (targets === null) return () => {};
  return animateNodes(graph, targets, { duration: moveMs, easing: "quadraticOut" }, () => {
    drawn.isMoving = false;
    sigma.scheduleRefresh();
  });
}

/** Whether it is seen how its entities move to their places. */
function hasMotion(graph: DrawnGraph): boolean {
  return graph.order <= maxLively && !hasReducedMotion();
}

/** With a single event, so that the drawing is computed once. */
function move(graph: DrawnGraph, positions: Positions): void {
  graph.updateEachNodeAttributes((id, attributes) => ({ ...attributes, ...positions.get(id) }), {
    attributes: ["x", "y"],
  });
}

/** Sigma takes the size of its pixels from the window, and has no setting for it. */
function withFinePixels<Result>(sigma: Renderer, draw: () => Result): Result {
  const own = Object.getOwnPropertyDescriptor(window, "devicePixelRatio");
  const redraw = () => sigma.resize(true).refresh({ schedule: false });
  const value = Math.max(2, window.devicePixelRatio);
  Object.defineProperty(window, "devicePixelRatio", { value, configurable: true });
  try {
    redraw();
    return draw();
  } finally {
    if (own !== undefined) Object.defineProperty(window, "devicePixelRatio", own);
    redraw();
  }
}

function moveTime(): number {
  return hasReducedMotion() ? 1 : 200;
}

function hasReducedMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Lets what does not stand out fade. */
function fade(sigma: Renderer, drawn: Drawn): void {
  const { graph, hovered, chosenEdge, look } = drawn;
  const strong = strongOf(drawn);
  drawn.strong = strong;
  const { faded, strong: stressed } = look.paint;
  const isOwn = (edge: string) =>
    chosenEdge === null ? graph.extremities(edge).includes(hovered ?? "") : edge === chosenEdge;
  sigma.setSettings(
    strong === null
      ? { nodeReducer: null, edgeReducer: null }
      : {
          nodeReducer: (id, data) => (strong.has(id) ? data : { ...data, color: faded, zIndex: 0 }),
          edgeReducer: (id, data) => ({
            ...data,
            ...(isOwn(id) ? { color: stressed, zIndex: 2 } : { color: faded, zIndex: 0 }),
          }),
        },
  );
}

/** What stands out; null: everything. */
function strongOf({ graph, hovered, chosenEdge }: Drawn): ReadonlySet<string> | null {
  if (chosenEdge !== null && graph.hasEdge(chosenEdge)) return new Set(graph.extremities(chosenEdge));
  if (hovered === null || graph.order > maxLively || !graph.hasNode(hovered)) return null;
  return new Set([hovered, ...graph.neighbors(hovered)]);
}

/** Puts nodes that were drawn before where they were, and returns where they go to; null: nothing moves. */
function movedFrom(before: DrawnGraph, graph: DrawnGraph): Record<string, { x: number; y: number }> | null {
  const targets: Record<string, { x: number; y: number }> = {};
  graph.forEachNode((id, { x, y }) => {
    if (!before.hasNode(id)) return;
    const old = before.getNodeAttributes(id);
    if (old.x === x && old.y === y) return;
    targets[id] = { x, y };
    graph.mergeNodeAttributes(id, { x: old.x, y: old.y });
  });
  return Object.keys(targets).length === 0 ? null : targets;
}

function extentOf(positions: Positions): { x: [number, number]; y: [number, number] } {
  let [left, right, top, bottom] = [-leastExtent.x, leastExtent.x, -leastExtent.y, leastExtent.y];
  for (const { x, y } of positions.values()) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  // Names stand beside the outermost entities.
  const beside = nameShare * (right - left);
  return { x: [left - beside, right + beside], y: [top, bottom] };
}

/** Of `#rrggbb`, each 0 to 1. */
function channelsOf(colour: string): readonly [number, number, number] {
  const channel = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}
