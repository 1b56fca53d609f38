import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { bytesToHex, concatHex, type Hex, numberToHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromHex } from '#shared/signing/hex.ts'
import { type RecoverPublicKey, recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import { createKeyRecovery } from './createKeyRecovery.ts'

const groupOrder = secp256k1.Point.Fn.ORDER
const fieldPrime = secp256k1.Point.Fp.ORDER
const { x: generatorX } = secp256k1.Point.BASE.toAffine()
const half = groupOrder >> 1n

const wasmFile = createRequire(import.meta.url).resolve('@bitauth/libauth/build/lib/bin/secp256k1/secp256k1.wasm')
const refuseFallback = (entry: object): never => {
  throw new Error(JSON.stringify(entry))
}
let recoverByWasm: RecoverPublicKey
beforeAll(() => {
  recoverByWasm = createKeyRecovery(new WebAssembly.Module(readFileSync(wasmFile)), refuseFallback)
})

const toWord = (value: bigint): Hex => numberToHex(value, { size: 32 })
const toSignature = (r: bigint, s: bigint, v: number): Hex =>
  concatHex([toWord(r), toWord(s), numberToHex(v, { size: 1 })])

/** The result by WebAssembly, which must be the one in JavaScript. */
const recoverByBoth = (digest: Hex, signature: Hex) => {
  const result = recoverSigner('eip712', digest, signature, recoverByWasm)
  if (JSON.stringify(result) !== JSON.stringify(recoverSigner('eip712', digest, signature)))
    expect.fail(`digest ${digest}, signature ${signature}`)
  return result
}

describe('by WebAssembly', () => {
  // four seconds of processor time
  test('recovers the signer of signatures of any key and digest, with either s', { timeout: 300_000 }, () => {
    const word = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(fc.bigInt(1n, groupOrder - 1n), word, fc.boolean(), (secret, digest, isHigh) => {
        const secretKey = fromHex(toWord(secret), 32, 'secret')
        const options = { prehash: false, format: 'recovered' } as const
        const {
          r,
          s,
          recovery = 0,
        } = secp256k1.Signature.fromBytes(secp256k1.sign(digest, secretKey, options), 'recovered')
        // an r above the group order has no v of 27 or 28
        fc.pre(recovery < 2)
        const signature = isHigh ? toSignature(r, groupOrder - s, 28 - recovery) : toSignature(r, s, 27 + recovery)
        const key = recoverByWasm(digest, fromHex(signature, 65, 'signature'))
        expect(key).toEqual(secp256k1.getPublicKey(secretKey, false))
        expect(recoverByBoth(bytesToHex(digest), signature).signer).toBeDefined()
      }),
      { numRuns: process.env.LONG ? 2_000 : 200 },
    )
  })

  test('agrees with JavaScript on arbitrary signatures', () => {
    const results = new Set<string>()
    const word = fc.bigInt(0n, 2n ** 256n - 1n)
    fc.assert(
      fc.property(word, word, word, fc.constantFrom(0, 1, 27, 28), (digest, r, s, v) => {
        const { failure = 'none' } = recoverByBoth(toWord(digest), toSignature(r, s, v))
        results.add(failure)
      }),
      { numRuns: process.env.LONG ? 2_000 : 200 },
    )
    expect([...results]).toEqual(expect.arrayContaining(['none', 'noSigner']))
  })

  test('agrees with JavaScript on every combination of the values at the bounds', () => {
    const max = 2n ** 256n - 1n
    // 5³ + 7 is no square modulo the field prime
    const rs = [0n, 1n, 2n, 5n, generatorX, half, groupOrder - 1n, groupOrder, groupOrder + 1n, fieldPrime, max]
    const ss = [0n, 1n, 2n, half, half + 1n, groupOrder - 1n, groupOrder, groupOrder + 1n, max]
    const digests = [0n, 1n, 2n, half, half + 1n, groupOrder - 1n, groupOrder, groupOrder + 1n, max]
    const results = new Set<string>()
    for (const r of rs)
      for (const s of ss)
        for (const digest of digests)
          for (const v of [0, 1, 2, 26, 27, 28, 29, 255]) {
            const { failure = 'none' } = recoverByBoth(toWord(digest), toSignature(r, s, v))
            results.add(failure)
          }
    expect([...results].sort()).toEqual(['malformed', 'noSigner', 'none', 'outOfRange'])
  })

  test('has no signer when the key would be the point at infinity', () => {
    const v = secp256k1.Point.BASE.toAffine().y & 1n ? 28 : 27
    for (const s of [1n, 12_345n, half, half + 1n, groupOrder - 1n]) {
      // R = G and s = digest: s·R − digest·G vanishes
      expect(recoverByBoth(toWord(s), toSignature(generatorX, s, v))).toEqual({ failure: 'noSigner' })
      expect(recoverByBoth(toWord(s), toSignature(generatorX, s, 55 - v)).signer).toBeDefined()
    }
  })

  test('results of earlier calls stay as they were', () => {
    const signature = fromHex(toSignature(generatorX, 7n, 27), 65, 'signature')
    const keys = [1, 2].map((fill) => recoverByWasm(new Uint8Array(32).fill(fill), signature))
    expect(keys).toEqual([1, 2].map((fill) => recoverPublicKey(new Uint8Array(32).fill(fill), signature)))
  })
})

describe('recovers in JavaScript', () => {
  const digest = new Uint8Array(32).fill(1)
  const signature = fromHex(toSignature(generatorX, 7n, 27), 65, 'signature')
  const expected = recoverPublicKey(digest, signature)

  const recoverTwice = (module: WebAssembly.Module) => {
    const entries: { message: string; cause: string }[] = []
    const recover = createKeyRecovery(module, (entry) => entries.push(entry))
    expect([recover(digest, signature), recover(digest, signature)]).toEqual([expected, expected])
    return entries
  }

  test('from the first call on when the module is another one', () => {
    const entries = recoverTwice(new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)))
    expect(entries).toEqual([
      { message: 'signers are recovered in JavaScript', cause: expect.stringContaining('is not a function') },
    ])
  })

  test('from the call on that the module aborts', () => {
    const entries = recoverTwice(new WebAssembly.Module(buildAbortingModule()))
    expect(entries).toEqual([
      { message: 'signers are recovered in JavaScript', cause: expect.stringContaining('unreachable') },
    ])
  })
})

/** A module whose functions return 0, but the one that parses a signature aborts. */
const buildAbortingModule = (): Uint8Array<ArrayBuffer> => {
  const aborting = '_secp256k1_ecdsa_recoverable_signature_parse_compact'
  const names = ['_malloc', '_secp256k1_context_create', aborting]
  const toSection = (id: number, content: number[]) => [id, content.length, ...content]
  const exported = names.flatMap((name) => [name.length, ...Buffer.from(name), 0, name === aborting ? 1 : 0])
  const returnsZero = [4, 0, 0x41, 0, 0x0b]
  const aborts = [3, 0, 0, 0x0b]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // one type: no parameters, an i32
    ...toSection(1, [1, 0x60, 0, 1, 0x7f]),
    ...toSection(3, [2, 0, 0]),
    ...toSection(7, [names.length, ...exported]),
    ...toSection(10, [2, ...returnsZero, ...aborts]),
  ])
}
