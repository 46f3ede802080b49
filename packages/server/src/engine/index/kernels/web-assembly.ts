/**
 * The part of the WebAssembly interface that is used here; TypeScript declares it only in its browser
 * libraries.
 */

/** Memory with a fixed maximum size; with `shared` it can be posted to other threads. A page is 64 KiB. */
export interface SharedMemory {
  readonly buffer: ArrayBufferLike;
}

interface WebAssemblyInterface {
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: boolean;
  }) => SharedMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

// Available in every Node version that can run the service.
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyInterface })
  .WebAssembly;

export const WASM_PAGE_BYTES = 1 << 16;
export const WASM_MAX_PAGES = 1 << 16;
