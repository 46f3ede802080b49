/** Colour and shape of a type: functions of its name, so that they are the same in every project; but types of one colour differ in shape. */

export const shapes = ["circle", "square", "diamond", "triangle", "hexagon", "drop"] as const;
export type Shape = (typeof shapes)[number];

/** Paths in a square of 16 by 16. */
export const outlines: Readonly<Record<Shape, string>> = {
  circle: "M8 1.6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8z",
  square: "M2.5 2.5h11v11h-11z",
  diamond: "M8 .8 15.2 8 8 15.2.8 8z",
  triangle: "M8 1.5 15 14H1z",
  hexagon: "M4.3 1.8h7.4L15.4 8l-3.7 6.2H4.3L.6 8z",
  drop: "M8 14.5 1 2h14z",
};

export interface TypeSign {
  readonly colour: string;
  readonly shape: Shape;
}

/** At least 3 : 1 with the surface. As many in the dark. */
const light = ["#2f62c9", "#c2410c", "#15803d", "#a21caf", "#8a6100", "#0b7c8f", "#be1e4f", "#6b46c1"];
const dark = ["#7aa7ff", "#ff9466", "#5fd08c", "#ec8cf0", "#e3bd4c", "#57cbe0", "#ff8fa9", "#b9a3ff"];
/** What has no type is grey. */
const untyped = "Thing";
const grey = { light: "#667281", dark: "#98a4b3" } as const;
/** With it the types that the service finds without an ontology differ in colour. */
const seed = 1_774_542;

export type TypeShapes = ReadonlyMap<string, Shape>;

/**
 * Of types of one colour, as many as there are shapes differ. Each has the shape of its name, which another type changes only if colour and
 * shape are its own, too: then the first by name keeps it, and the next ones take the next free one.
 */
export function shapesOf(types: readonly string[]): TypeShapes {
  const given = new Map<string, Shape>();
  for (const group of groupByColour(types)) {
    const taken = new Set<Shape>();
    const others = group.filter((type) => {
      const shape = ownShape(type);
      if (taken.has(shape)) return true;
      taken.add(shape);
      given.set(type, shape);
      return false;
    });
    for (const type of others) {
      const first = shapes.indexOf(ownShape(type));
      const free = shapes.map((_, step) => shapeAt(first + step)).find((shape) => !taken.has(shape));
      const shape = free ?? shapeAt(first);
      taken.add(shape);
      given.set(type, shape);
    }
  }
  return given;
}

/** Each group by name. */
function groupByColour(types: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<number, string[]>();
  for (const type of [...new Set(types)].sort()) {
    if (type === untyped) continue;
    const colour = hashOf(type) % light.length;
    groups.set(colour, [...(groups.get(colour) ?? []), type]);
  }
  return [...groups.values()];
}

/** `given`: the shapes of the project's types. */
export function signOf(type: string, isDark: boolean, given: TypeShapes): TypeSign {
  if (type === untyped) return { colour: isDark ? grey.dark : grey.light, shape: "circle" };
  const hash = hashOf(type);
  const colours = isDark ? dark : light;
  return {
    colour: colours[hash % colours.length] ?? grey.light,
    shape: given.get(type) ?? ownShape(type),
  };
}

function ownShape(type: string): Shape {
  return shapeAt(hashOf(type) >>> 8);
}

function shapeAt(number: number): Shape {
  return shapes[number % shapes.length] ?? "circle";
}

/** FNV-1a over code units, with the last step of MurmurHash3, which mixes the low bits. */
function hashOf(text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Of the drawing, apart from types. */
export interface Paint {
  readonly surface: string;
  readonly ink: string;
  readonly soft: string;
  readonly edge: string;
  readonly strong: string;
  readonly faded: string;
  readonly accent: string;
}

export function paintOf(isDark: boolean): Paint {
  return isDark
    ? {
        surface: "#14171b",
        ink: "#eceff2",
        soft: "#a9b3bf",
        edge: "#525d69",
        strong: "#77828f",
        faded: "#2b3138",
        accent: "#8f9bff",
      }
    : {
        surface: "#ffffff",
        ink: "#14181d",
        soft: "#4a5461",
        edge: "#b3bcc7",
        strong: "#94a0ad",
        faded: "#e6e9ed",
        accent: "#3f4bd8",
      };
}
