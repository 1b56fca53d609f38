import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { SenderClient } from './connectSender.ts'
import { simulateSettlement } from './simulateSettlement.ts'

const account: Address = `0x${'51'.repeat(20)}`
const to: Address = `0x${'90'.repeat(20)}`
const transaction = { account, to, data: '0x1234', accessList: [{ address: to, storageKeys: [] }] } as const
const fees = { maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }
const terms = { ...fees, gas: 1_000_000n }

/** Runs a simulation on a node with one estimate; `requests` are those that the node received. */
const simulate = async (estimate: bigint) => {
  const requests: object[] = []
  const client = {
    estimateGas: async (request: object) => {
      requests.push(request)
      return estimate
    },
    call: async (request: object) => {
      requests.push(request)
      return {}
    },
  } as unknown as SenderClient
  return { result: await simulateSettlement(client, transaction, terms, { number: 8n, time: 96n }), requests }
}

test('the gas limit is at most what the sender can pay for', async () => {
  const { result, requests } = await simulate(900_000n)
  expect(result).toEqual({ gas: 1_000_000n })
  expect(requests[1]).toMatchObject({ gas: 1_000_000n })
})

test('a settlement that needs more gas than that is not sent', async () => {
  const { result, requests } = await simulate(1_000_001n)
  expect(result).toEqual({ reason: 'needs 1000001 gas' })
  expect(requests).toHaveLength(1)
})
