import { encodeEventTopics, erc20Abi, pad, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { networks } from '#shared/networks.ts'
import { findTakenTokens } from './findTakenTokens.ts'

const settlement = { from: zeroAddress, data: '0x' } as const
const find = (simulate: Parameters<typeof findTakenTokens>[0]) =>
  findTakenTokens(simulate, networks.sepolia, settlement, [zeroAddress])

test.each([new SimulationError('timeout'), new SimulationError('nodeUnavailable', { isResponse: true })])(
  'a simulation that a solution may have ended proves nothing: %o',
  async (error) => {
    await expect(find(() => Promise.reject(error))).rejects.toBe(error)
  },
)

test('a settlement that reverts in the simulation proves nothing', async () => {
  const results = [1, 1, 0, 1, 1].map((status) => ({
    succeeded: status === 1,
    returnData: `0x${'00'.repeat(32)}` as const,
    gasUsed: 1n,
  }))
  await expect(find(async () => ({ block: 1, results }))).rejects.toThrow(SimulationError)
})

test('a token whose balance cannot be read is taken when its events say so', async () => {
  const topics = encodeEventTopics({
    ...{ abi: erc20Abi, eventName: 'Transfer' },
    args: { from: networks.sepolia.settlementContract, to: settlement.from },
  })
  const logs = [{ address: zeroAddress, topics, data: pad('0x01') }]
  // reads of the token and of ether, the settlement, the reads again: those of the token have no gas left
  const results = (['0x', pad('0x01'), '0x', '0x', pad('0x01')] as const).map((returnData, i) => ({
    ...{ succeeded: returnData !== '0x' || i === 2, returnData, gasUsed: 1n },
    ...(i === 2 ? { logs } : {}),
  }))
  expect(await find(async () => ({ block: 1, results }))).toEqual([zeroAddress])
})

test('a node without simulations is no reason to leave out all solutions', async () => {
  expect(await find(() => Promise.reject(new SimulationError('nodeCannotSimulate')))).toEqual([])
})
