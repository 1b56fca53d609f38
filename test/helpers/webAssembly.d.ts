/** WebAssembly as sources and tests use it: Node's types have none, and those of the platform cannot compile. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Record<string, unknown>
  }
  class Memory {
    constructor(size: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
  }
  class Table {
    constructor(size: { element: 'anyfunc'; initial: number; maximum: number })
  }
}
