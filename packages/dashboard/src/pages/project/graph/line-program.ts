/**
 * Draws lines with WebGL, and arrows at the ends of those that have a direction. Sigma's own programs widen both with the zoom, until those
 * of a hub cover what they lead to; here they are as many pixels wide at every zoom.
 */
import type { Attributes } from "graphology-types";
import { EdgeProgram, type ProgramInfo } from "sigma/rendering";
import type { EdgeDisplayData, NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";
import { arrow } from "./arrow-size.ts";

const vertexShader = /* glsl */ `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_start;
attribute vec2 a_end;
attribute float a_width;
attribute float a_startRadius;
attribute float a_endRadius;
attribute vec3 a_corner;
uniform mat3 u_matrix;
uniform vec2 u_viewport;
uniform float u_sizeRatio;
varying vec4 v_color;
varying float v_across;
varying float v_half;
const float bias = 255.0 / 254.0;

vec2 pixelsOf(vec2 place) {
  return (u_matrix * vec3(place, 1.0)).xy * u_viewport * 0.5;
}

void main() {
  vec2 start = pixelsOf(a_start);
  vec2 end = pixelsOf(a_end);
  float reach = max(distance(start, end), 0.001);
  vec2 along = (end - start) / reach;
  vec2 across = vec2(-along.y, along.x);
  float isDirected = step(0.0, a_endRadius);
  float radius = abs(a_endRadius) / u_sizeRatio;
  float free = max(reach - radius - a_startRadius / u_sizeRatio, 0.0);
  float head = isDirected * min(ARROW_LENGTH, ARROW_SHARE * free);
  float tip = reach - isDirected * radius;
  v_half = a_width * 0.5;
  float edge = v_half + 1.0;
  vec2 place;
  if (a_corner.z < 0.5) {
    place = start + along * (tip - head) * a_corner.x + across * edge * a_corner.y;
    v_across = edge * a_corner.y;
  } else {
    place = start + along * (tip - head * (1.0 - a_corner.x)) + across * head * HEAD_SHARE * a_corner.y;
    v_across = 0.0;
  }
  gl_Position = vec4(place / (u_viewport * 0.5), 0.0, 1.0);
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= bias;
}`
  .replace("ARROW_LENGTH", arrow.length.toFixed(1))
  .replace("ARROW_SHARE", arrow.shareOfLine.toFixed(2))
  .replace("HEAD_SHARE", (arrow.width / arrow.length / 2).toFixed(3));

const fragmentShader = /* glsl */ `
precision mediump float;
varying vec4 v_color;
varying float v_across;
varying float v_half;

void main(void) {
  float covered = clamp(v_half + 0.5 - abs(v_across), 0.0, 1.0);
  #ifdef PICKING_MODE
  gl_FragColor = v_color;
  #else
  gl_FragColor = v_color * covered;
  #endif
}`;

const uniforms = ["u_matrix", "u_viewport", "u_sizeRatio"] as const;
/** Along and across, and 1 for the arrow: the two triangles of the line, and that of the arrow. */
const corners = [
  [0, 1, 0],
  [0, -1, 0],
  [1, 1, 0],
  [1, 1, 0],
  [0, -1, 0],
  [1, -1, 0],
  [1, 0, 1],
  [0, 1, 1],
  [0, -1, 1],
];

/** `isDirected`: with an arrow at the target. */
export function createLineProgram(isDirected: boolean) {
  return class LineProgram<
    N extends Attributes = Attributes,
    E extends Attributes = Attributes,
    G extends Attributes = Attributes,
  > extends EdgeProgram<(typeof uniforms)[number], N, E, G> {
    override getDefinition() {
      const { UNSIGNED_BYTE, FLOAT, TRIANGLES } = WebGLRenderingContext;
      return {
        VERTICES: corners.length,
        VERTEX_SHADER_SOURCE: vertexShader,
        FRAGMENT_SHADER_SOURCE: fragmentShader,
        METHOD: TRIANGLES as 4,
        UNIFORMS: uniforms,
        ATTRIBUTES: [
          { name: "a_start", size: 2, type: FLOAT },
          { name: "a_end", size: 2, type: FLOAT },
          { name: "a_width", size: 1, type: FLOAT },
          { name: "a_startRadius", size: 1, type: FLOAT },
          { name: "a_endRadius", size: 1, type: FLOAT },
          { name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_corner", size: 3, type: FLOAT }],
        CONSTANT_DATA: corners,
      };
    }

    override processVisibleItem(
      edgeIndex: number,
      start: number,
      source: NodeDisplayData,
      target: NodeDisplayData,
      { size, color }: EdgeDisplayData,
    ): void {
      const values = this.array;
      values[start] = source.x;
      values[start + 1] = source.y;
      values[start + 2] = target.x;
      values[start + 3] = target.y;
      values[start + 4] = size;
      values[start + 5] = source.size;
      // A negative one is of a line without an arrow, which ends in the middle of the entity.
      values[start + 6] = isDirected ? target.size : -target.size;
      values[start + 7] = floatColor(color);
      values[start + 8] = edgeIndex;
    }

    override setUniforms(
      { matrix, width, height, sizeRatio }: RenderParams,
      { gl, uniformLocations }: ProgramInfo,
    ): void {
      const { u_matrix, u_viewport, u_sizeRatio } = uniformLocations as Readonly<
        Record<(typeof uniforms)[number], WebGLUniformLocation | null>
      >; // Sigma looks up all of `uniforms`.
      gl.uniformMatrix3fv(u_matrix ?? null, false, matrix);
      gl.uniform2f(u_viewport ?? null, width, height);
      gl.uniform1f(u_sizeRatio ?? null, sizeRatio);
    }
  };
}
