export * as bodies from "./bodies.ts";
export { API_PREFIX, type Endpoint, type EndpointName, endpoints } from "./endpoints.ts";
export { describeFaults, expecting, isTooLarge, kindOf, loneSurrogateAt } from "./fields.ts";
export { jsonPieces, LazyList, RawJson, rawMember, rawMembersOf, stringifyJson } from "./json.ts";
export { ontologyFormats } from "./ontology-formats.ts";
export * as responses from "./responses.ts";
