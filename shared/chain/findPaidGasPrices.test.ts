import { expect, test } from 'vitest'
import { startTestChain } from '#test/helpers/chain/testChain.ts'
import { connectChain } from './connectChain.ts'
import { findPaidGasPrices } from './findPaidGasPrices.ts'

const answering = (history: object) => ({ request: (async () => history) as never })

test('adds the median of the tips that were paid to each base fee', async () => {
  const baseFeePerGas = ['0x5', '0x0', '0x7', '0x9']
  const reward = [['0x0'], ['0x64'], ['0xc8']]
  expect(await findPaidGasPrices(answering({ baseFeePerGas, reward }))).toEqual([205n, 200n, 207n, 209n])
  expect(await findPaidGasPrices(answering({ baseFeePerGas, reward: [['0x0']] }))).toEqual([5n, 0n, 7n, 9n])
  expect(await findPaidGasPrices(answering({ baseFeePerGas }))).toEqual([5n, 0n, 7n, 9n])
})

test.each([
  ['no history', {}],
  ['a number', { baseFeePerGas: [5] }],
  ['an endless list', { baseFeePerGas: Array(102).fill('0x1') }],
  ['an endless number', { baseFeePerGas: [`0x${'f'.repeat(33)}`] }],
])('rejects %s', async (_, history) => {
  await expect(findPaidGasPrices(answering(history))).rejects.toThrow()
})

test('reads the history of a node', async () => {
  const testChain = await startTestChain()
  await testChain.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_234_567n })
  await testChain.chain.mine({ blocks: 1 })
  const { number } = await testChain.chain.getBlock()
  const read = () => findPaidGasPrices(connectChain(testChain.rpcUrl))
  // the node adds a block to its history a moment after it is mined
  await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBe(Math.min(Number(number) + 1, 100) + 1)
  const prices = await read()
  expect(prices.at(-2)).toBeGreaterThanOrEqual(1_234_567n)
  await testChain.stop()
})
