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
  // Where the page's types are loaded too, the global has a type of its own that says less.
  const found: unknown = Reflect.get(globalThis, 'WebAssembly');
  return found as WebAssemblyInterface | undefined;
}
