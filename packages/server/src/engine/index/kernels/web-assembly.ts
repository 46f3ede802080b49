/** The part of WebAssembly's interface that is used here; its types come with browsers' libraries only. */

/** Memory of a fixed maximum; with `shared` it can be handed to other threads. Pages of 64 KiB. */
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

// Every Node that runs the service has it.
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyInterface })
  .WebAssembly;

export const WASM_PAGE_BYTES = 1 << 16;
export const WASM_MAX_PAGES = 1 << 16;
