import type { RecoverPublicKey } from '#shared/signing/recoverPublicKey.ts'

/**
 * Memory that the module requires, which never grows: static data from `memoryBase`, a pointer to the end of the heap, a
 * stack of 5 MiB, and the heap. The numbers are those of its build (`secp256k1-wasm.ts` of libauth).
 */
const memoryPages = 256
const pageBytes = 65_536
const memoryBase = 1_024
const heapEndPointer = memoryBase + 67_696 + 16
const stackBase = align(heapEndPointer + 4)
const heapBase = align(stackBase + 5 * 2 ** 20)
const tableSize = 6

/** `SECP256K1_CONTEXT_VERIFY` */
const verifying = 257
/** `SECP256K1_EC_UNCOMPRESSED` */
const uncompressed = 2
const keyBytes = 65

/** Pointers are numbers of bytes in the memory; 1 is success. */
type Functions = {
  _malloc: (bytes: number) => number
  _secp256k1_context_create: (flags: number) => number
  _secp256k1_ecdsa_recoverable_signature_parse_compact: (
    context: number,
    output: number,
    compact: number,
    recoveryId: number,
  ) => number
  _secp256k1_ecdsa_recover: (context: number, output: number, signature: number, digest: number) => number
  _secp256k1_ec_pubkey_serialize: (
    context: number,
    output: number,
    outputBytes: number,
    key: number,
    form: number,
  ) => number
}

/**
 * Recovery by libsecp256k1. Every call uses the same few hundred bytes, allocated once; the tables of the curve take half
 * a megabyte and some ten milliseconds here.
 * @param module `secp256k1.wasm` of libauth
 * @throws Error when it is another module. A function that threw must not be called again: its stack is in an unknown state.
 */
export const instantiateRecovery = (module: WebAssembly.Module): RecoverPublicKey => {
  const memory = new WebAssembly.Memory({ initial: memoryPages, maximum: memoryPages })
  const bytes = new Uint8Array(memory.buffer)
  const view = new DataView(memory.buffer)
  view.setUint32(heapEndPointer, heapBase, true)
  const { exports } = new WebAssembly.Instance(module, buildImports(memory, bytes))
  const secp256k1 = exports as Functions

  const context = secp256k1._secp256k1_context_create(verifying)
  const digestAt = secp256k1._malloc(32)
  const compactAt = secp256k1._malloc(64)
  const signatureAt = secp256k1._malloc(65)
  const keyAt = secp256k1._malloc(64)
  const outputAt = secp256k1._malloc(keyBytes)
  const outputBytesAt = secp256k1._malloc(4)

  return (digest, signature) => {
    bytes.set(digest, digestAt)
    bytes.set(signature.subarray(0, 64), compactAt)
    const recoveryId = Number(signature[64]) - 27
    const { _secp256k1_ecdsa_recoverable_signature_parse_compact: parse } = secp256k1
    if (!parse(context, signatureAt, compactAt, recoveryId)) return undefined
    if (!secp256k1._secp256k1_ecdsa_recover(context, keyAt, signatureAt, digestAt)) return undefined
    view.setUint32(outputBytesAt, keyBytes, true)
    secp256k1._secp256k1_ec_pubkey_serialize(context, outputAt, outputBytesAt, keyAt, uncompressed)
    return bytes.slice(outputAt, outputAt + keyBytes)
  }
}

const buildImports = (memory: WebAssembly.Memory, bytes: Uint8Array): WebAssembly.Imports => ({
  env: {
    memory,
    memoryBase,
    table: new WebAssembly.Table({ element: 'anyfunc', initial: tableSize, maximum: tableSize }),
    tableBase: 0,
    DYNAMICTOP_PTR: heapEndPointer,
    STACKTOP: stackBase,
    getTotalMemory: () => memoryPages * pageBytes,
    enlargeMemory: abort,
    abortOnCannotGrowMemory: abort,
    abort,
    _abort: abort,
    ___setErrNo: (code: number) => code,
    _emscripten_memcpy_big: (target: number, source: number, count: number) => {
      bytes.copyWithin(target, source, source + count)
      return target
    },
  },
})

const abort = (): never => {
  throw new Error('libsecp256k1 aborted')
}

/** The next multiple of 16, the alignment of the stack. */
function align(address: number): number {
  return Math.ceil(address / 16) * 16
}
