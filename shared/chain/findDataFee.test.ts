import { hexToBytes, size } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { deployDataFee } from '#tools/stack/chain/contracts/deployDataFee.ts'
import { buildTypicalSettlement } from '../fees/buildTypicalSettlement.ts'
import { networks } from '../networks.ts'
import { connectChain } from './connectChain.ts'
import { findDataFee } from './findDataFee.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
  for (const network of Object.values(networks)) await deployDataFee(chain.chain, network)
})
afterAll(() => chain?.stop())

const connect = () => connectChain(chain.rpcUrl)
const data = buildTypicalSettlement()
const gwei = 10n ** 9n

test('the data of a typical settlement has the size of one with two pools', () => {
  expect(size(data)).toBeGreaterThan(1_200)
  expect(size(data)).toBeLessThan(2_400)
})

test('Base takes the fee of the gas price oracle, which grows with the data', async () => {
  const bytes = [...hexToBytes(data)]
  const gasUsed = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 68n * 16n)
  const fee = await findDataFee(connect(), networks.base, data)
  expect(fee).toBe((gasUsed * 2_269n * 5n * gwei) / 10n ** 6n)
  expect(await findDataFee(connect(), networks.base, `${data}ff`)).toBe(fee + (16n * 2_269n * 5n * gwei) / 10n ** 6n)
})

test("Arbitrum One takes the node's gas for the data at its base fee", async () => {
  await chain.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei / 100n })
  await chain.chain.mine({ blocks: 1 })
  const fee = await findDataFee(connect(), networks.arbitrum_one, data)
  const exact = BigInt(size(data)) * 16n * 5n * gwei
  expect(fee).toBeLessThanOrEqual(exact)
  // whole gas units
  expect(exact - fee).toBeLessThan(gwei / 100n)
})

test.each(['mainnet', 'gnosis', 'sepolia'] as const)('%s has no fee for data', async (name) => {
  expect(await findDataFee(connectChain('http://127.0.0.1:1'), networks[name], data)).toBe(0n)
})
