/** What of the graph is shown: it is in the address of the page, so that a view can be shared and Back undoes. */
import type { NamedEntity } from "../../../api/renamed-entity.ts";
import { readPins, writePins } from "./pins.ts";

export const views = ["map", "list", "proposed"] as const;
export type GraphView = (typeof views)[number];

/** Numbers of entities that are drawn at first, and on request. */
export const sizes = [300, 1_000, 3_000, 10_000] as const;
const maxDepth = 2;
/** Longer lists would not fit into an address. */
const maxListed = 200;

export interface GraphAddress {
  /** Default: the map; on a phone the list. */
  readonly view?: GraphView;
  /** How many entities are drawn while none is chosen. Default: the first of `sizes` */
  readonly size?: number;
  /** The chosen entity, in the middle of its neighbourhood. */
  readonly entity?: string;
  /** Its name and type: with them it is found again when a correction has given it another id. */
  readonly called?: string;
  readonly calledType?: string;
  /** Steps from the chosen entity. Default: 1 */
  readonly depth?: number;
  /** Further entities whose neighbourhoods are drawn. */
  readonly open?: readonly string[];
  /** The entity at the other end of a path. */
  readonly to?: string;
  /** The chosen line: its two ends with a space between. */
  readonly line?: string;
  /** Where entities of this view were dragged to; see `pins.ts`. */
  readonly pins?: string;
  /** Types of entities that are hidden. */
  readonly without?: readonly string[];
  /** Types of relationships that are hidden. */
  readonly withoutLinks?: readonly string[];
  /** Of the list: a part of a name, a type, only entities without relationships, the place of the first one. */
  readonly name?: string;
  readonly type?: string;
  readonly alone?: boolean;
  readonly from?: number;
  /** Of the map: only what this document names. */
  readonly document?: string;
  /** A year, month or day: only relationships that hold then. */
  readonly asOf?: string;
  /** The name of an entity to choose, as other pages know it. */
  readonly find?: string;
}

/** Reads an address that anybody can have written. Defaults are left out. */
export function readGraphAddress(search: Record<string, unknown>): GraphAddress {
  const view = views.find((each) => each === search["view"]);
  const size = sizes.find((each) => each === search["size"]);
  const entity = textOf(search["entity"]);
  const [called, calledType] = [textOf(search["called"]), textOf(search["calledType"])];
  const to = textOf(search["to"]);
  const line = textOf(search["line"]);
  const depth = Number(search["depth"]);
  const open = listOf(search["open"]);
  const without = listOf(search["without"]);
  const withoutLinks = listOf(search["withoutLinks"]);
  const find = textOf(search["find"]);
  const pins = writePins(readPins(textOf(search["pins"])));
  const [document, asOf] = [textOf(search["document"]), textOf(search["asOf"])];
  const [name, type, from] = [textOf(search["name"]), textOf(search["type"]), Number(search["from"])];
  return {
    ...(name === "" ? {} : { name }),
    ...(type === "" ? {} : { type }),
    ...(search["alone"] === true ? { alone: true } : {}),
    ...(Number.isSafeInteger(from) && from > 0 ? { from } : {}),
    ...(view === undefined ? {} : { view }),
    ...(size === undefined || size === sizes[0] ? {} : { size }),
    ...(entity === "" ? {} : { entity }),
    ...(entity === "" || called === "" || calledType === "" ? {} : { called, calledType }),
    ...(entity !== "" && depth === maxDepth ? { depth } : {}),
    ...(entity === "" || open.length === 0 ? {} : { open }),
    ...(entity === "" || to === "" ? {} : { to }),
    ...(/^\S{1,200} \S{1,200}$/.test(line) ? { line } : {}),
    ...(pins === "" ? {} : { pins }),
    ...(without.length === 0 ? {} : { without }),
    ...(withoutLinks.length === 0 ? {} : { withoutLinks }),
    ...(find === "" ? {} : { find }),
    ...(document === "" ? {} : { document }),
    ...(isPeriod(asOf) ? { asOf } : {}),
  };
}

/** What the chosen entity is called in the address. */
export function calledIn({ called, calledType }: GraphAddress): NamedEntity | null {
  return called === undefined || calledType === undefined ? null : { name: called, type: calledType };
}

/** Without the filter by type. */
export function withAllTypes({ without: _types, withoutLinks: _links, ...rest }: GraphAddress): GraphAddress {
  return rest;
}

/** A year, month or day, as the service reads it; whether the day exists it says itself. */
export function isPeriod(text: string): boolean {
  return /^[12]\d{3}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/.test(text);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value
        .map(textOf)
        .filter((text) => text !== "")
        .slice(0, maxListed)
    : [];
}
