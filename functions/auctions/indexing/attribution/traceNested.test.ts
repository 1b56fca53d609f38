import { type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { type RawSettlement, type TraceFailures, traceNested } from './traceNested.ts'

test('counts failed traces of the newest hundred transactions', async () => {
  const failures: TraceFailures = new Map()
  const deps = {
    network: networks.mainnet,
    database: {} as never,
    chain: { request: () => Promise.reject(new Error('no trace')) } as never,
    log: () => undefined,
  }
  const uid: Hex = '0x01'
  for (let i = 1; i <= 150; i += 1) {
    const settlement = {
      transaction: { hash: numberToHex(i) },
      trades: [{ orderUid: uid }],
    } as unknown as RawSettlement
    await expect(traceNested(deps, failures, [settlement], [{ orders: [{ uid }] } as never])).rejects.toThrow()
  }
  expect(failures.size).toBe(100)
  expect([...failures.keys()].at(-1)).toBe(numberToHex(150))
})
