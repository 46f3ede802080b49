/** Draws entities with WebGL in the shape and colour of their type, with a thin edge of the surface's colour around them. */
import type { Attributes } from "graphology-types";
import { NodeProgram, type ProgramInfo } from "sigma/rendering";
import type { NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";
import { type Shape, shapes } from "./type-sign.ts";

export interface ShapedNode extends NodeDisplayData {
  readonly shape: Shape;
}

const vertexShader = /* glsl */ `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;
attribute float a_shape;
attribute vec2 a_corner;
uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;
varying vec4 v_color;
varying vec2 v_place;
varying float v_shape;
varying float v_pixel;
const float bias = 255.0 / 254.0;
const float reach = 1.5;

void main() {
  float size = a_size * u_correctionRatio / u_sizeRatio * 2.0;
  gl_Position = vec4((u_matrix * vec3(a_position + a_corner * size * reach, 1)).xy, 0, 1);
  v_place = a_corner * reach;
  v_shape = a_shape;
  v_pixel = u_correctionRatio * 2.0 / size;
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= bias;
}`;

/** Distances from the edges of shapes whose areas look alike; a unit is the radius of the circle. */
const fragmentShader = /* glsl */ `
precision highp float;
varying vec4 v_color;
varying vec2 v_place;
varying float v_shape;
varying float v_pixel;
uniform vec4 u_surface;
const vec4 transparent = vec4(0.0);

float distanceOf(vec2 p) {
  vec2 q = abs(p);
  if (v_shape < 0.5) return length(p) - 1.0;
  if (v_shape < 1.5) return max(q.x, q.y) - 0.88;
  if (v_shape < 2.5) return (q.x + q.y - 1.25) * 0.7071;
  if (v_shape < 3.5) return max(q.x * 0.866 + p.y * 0.5 - 0.1, -p.y) - 0.62;
  if (v_shape < 4.5) return max(q.x * 0.866 + q.y * 0.5, q.y) - 0.95;
  return max(q.x * 0.866 - p.y * 0.5 - 0.1, p.y) - 0.62;
}

void main(void) {
  float d = distanceOf(v_place);
  #ifdef PICKING_MODE
  gl_FragColor = d > 0.15 ? transparent : v_color;
  #else
  float rim = v_pixel * 1.5;
  float inside = clamp(0.5 - d / v_pixel, 0.0, 1.0);
  float within = clamp(0.5 - (d - rim) / v_pixel, 0.0, 1.0);
  gl_FragColor = mix(mix(transparent, u_surface, within), v_color, inside);
  #endif
}`;

const uniforms = ["u_sizeRatio", "u_correctionRatio", "u_matrix", "u_surface"] as const;
const corners = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [-1, 1],
  [1, -1],
  [1, 1],
];

/** `surface`: red, green and blue, 0 to 1. */
export function createNodeProgram(surfaceOf: () => readonly [number, number, number]) {
  return class ShapeProgram<
    N extends Attributes = Attributes,
    E extends Attributes = Attributes,
    G extends Attributes = Attributes,
  > extends NodeProgram<(typeof uniforms)[number], N, E, G> {
    override getDefinition() {
      const { UNSIGNED_BYTE, FLOAT, TRIANGLES } = WebGLRenderingContext;
      return {
        VERTICES: corners.length,
        VERTEX_SHADER_SOURCE: vertexShader,
        FRAGMENT_SHADER_SOURCE: fragmentShader,
        METHOD: TRIANGLES as 4,
        UNIFORMS: uniforms,
        ATTRIBUTES: [
          { name: "a_position", size: 2, type: FLOAT },
          { name: "a_size", size: 1, type: FLOAT },
          { name: "a_shape", size: 1, type: FLOAT },
          { name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_corner", size: 2, type: FLOAT }],
        CONSTANT_DATA: corners,
      };
    }

    override processVisibleItem(nodeIndex: number, start: number, data: NodeDisplayData): void {
      // The canvas gives every node a shape.
      const { x, y, size, color, shape } = data as ShapedNode;
      const values = this.array;
      values[start] = x;
      values[start + 1] = y;
      values[start + 2] = size;
      values[start + 3] = shapes.indexOf(shape);
      values[start + 4] = floatColor(color);
      values[start + 5] = nodeIndex;
    }

    override setUniforms(
      { sizeRatio, correctionRatio, matrix }: RenderParams,
      { gl, uniformLocations }: ProgramInfo,
    ): void {
      const { u_sizeRatio, u_correctionRatio, u_matrix, u_surface } = uniformLocations as Readonly<
        Record<(typeof uniforms)[number], WebGLUniformLocation | null>
      >; // Sigma looks up all of `uniforms`.
      gl.uniform1f(u_sizeRatio ?? null, sizeRatio);
      gl.uniform1f(u_correctionRatio ?? null, correctionRatio);
      gl.uniformMatrix3fv(u_matrix ?? null, false, matrix);
      const [red, green, blue] = surfaceOf();
      gl.uniform4f(u_surface ?? null, red, green, blue, 1);
    }
  };
}
