/** A setting of Fastify, whose routes have no schemas here: otherwise it loads the compilers of schemas at the start, 0.1 s of processor time. */
export const NO_SCHEMAS = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } };

function refuse(): never {
  throw new Error("Routes have no schemas: the contract's check bodies.");
}
