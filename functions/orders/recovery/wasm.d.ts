/** The bundler leaves the import to the runtime, which compiles the module. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
