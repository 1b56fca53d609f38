import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/settlementChain.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { createBalanceCache, findBalances, type Holding, toHoldingKey } from './findBalances.ts'

const network = networks.sepolia
let chain: SettlementChain

beforeAll(async () => {
  chain = await startSettlementChain()
})
afterAll(() => chain?.stop())

const readHead = async () => {
  const { number, hash, timestamp } = await chain.client.getBlock()
  return { number: Number(number), hash, timestamp: new Date(Number(timestamp) * 1000) }
}
const approve = async (holding: Holding, amount: bigint) =>
  sendFrom(chain.chain, holding.owner, {
    to: holding.token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, amount] }),
  })

it('is the lesser of balance and allowance, read once a block, and again for an order nobody has looked at', async () => {
  const holding = { owner: chain.owner, token: chain.tokens.USDC.address }
  const deps = { network, chain: chain.client }
  const cache = createBalanceCache()
  const block = await readHead()
  const find = async (...args: [typeof block, Holding[], Holding[]?]) =>
    (await findBalances(deps, cache, ...args)).get(toHoldingKey(holding))

  expect(await find(block, [holding])).toBe(0n)
  await approve(holding, 5n)
  expect(await find(block, [holding])).toBe(0n)
  expect(await find(block, [holding], [holding])).toBe(5n)
  await approve(holding, 2n ** 256n - 1n)
  const balance = await chain.client.readContract({
    address: holding.token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holding.owner],
  })
  expect(balance).toBeGreaterThan(5n)
  expect(await find(await readHead(), [holding])).toBe(balance)
})

it('a token that does not answer counts as nothing', async () => {
  const holding = { owner: chain.owner, token: chain.owner }
  const balances = await findBalances({ network, chain: chain.client }, createBalanceCache(), await readHead(), [
    holding,
  ])
  expect(balances.get(toHoldingKey(holding))).toBe(0n)
})

it('a token that burns all gas costs only itself, also in the same round trip as others', async () => {
  const burning: Address = '0x1271000000000000000000000000000000000003'
  await chain.chain.setCode({ address: burning, bytecode: '0x5b600056' })
  const honest = { owner: chain.owner, token: chain.tokens.DAI.address }
  const read = async (holdings: Holding[]) =>
    findBalances({ network, chain: chain.client }, createBalanceCache(), await readHead(), holdings)
  const expected = (await read([honest])).get(toHoldingKey(honest))
  expect(expected).toBeGreaterThan(0n)
  const burners = [1, 2, 3].map((i): Holding => ({ owner: `0x${String(i).repeat(40)}`, token: burning }))
  const balances = await read([...burners, honest])
  expect(balances.get(toHoldingKey(honest))).toBe(expected)
  for (const burner of burners) expect(balances.get(toHoldingKey(burner))).toBe(0n)
})

it('a node that fails is an error, never a balance of nothing', async () => {
  const dead = connectChain('http://127.0.0.1:9', network.chainId)
  const cache = createBalanceCache()
  const holding = { owner: chain.owner, token: chain.tokens.DAI.address }
  await expect(findBalances({ network, chain: dead }, cache, await readHead(), [holding])).rejects.toThrow()
  expect(cache.balances.size).toBe(0)
})
