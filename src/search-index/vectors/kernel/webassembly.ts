/** The part of the WebAssembly interface in use; the types of Node do not declare it. */
export interface WebAssemblyMemory {
  /** Replaced whenever the memory grows; the old one is then detached. */
  readonly buffer: ArrayBuffer;
  /** In pages of 64 KB. */
  grow(pages: number): number;
}

interface WebAssemblyInterface {
  readonly Memory: new (descriptor: { initial: number }) => WebAssemblyMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { kernel: { memory: WebAssemblyMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  validate(bytes: Uint8Array): boolean;
}

/** Undefined where WebAssembly is switched off. */
export function findWebAssembly(): WebAssemblyInterface | undefined {
  return (globalThis as { readonly WebAssembly?: WebAssemblyInterface }).WebAssembly;
}
