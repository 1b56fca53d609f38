import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { createBalanceCache } from './balanceCache.ts'
import { findBalances } from './findBalances.ts'
import { type Holding, toHoldingKey } from './toHoldingKey.ts'

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

test('reads balance and allowance once per block, and again for an order new to the auctions', async () => {
  const holding = { owner: chain.owner, token: chain.tokens.USDC.address }
  const deps = { network, chain: chain.client }
  const cache = createBalanceCache()
  const block = await readHead()
  const find = async (...args: [typeof block, Holding[], Holding[]?]) =>
    (await findBalances(deps, cache, ...args)).get(toHoldingKey(holding))

  const balance = await chain.client.readContract({
    address: holding.token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holding.owner],
  })
  expect(balance).toBeGreaterThan(5n)
  expect(await find(block, [holding])).toEqual({ balance, allowance: 0n })
  await approve(holding, 5n)
  expect(await find(block, [holding])).toEqual({ balance, allowance: 0n })
  expect(await find(block, [holding], [holding])).toEqual({ balance, allowance: 5n })
  await approve(holding, 2n ** 256n - 1n)
  expect(await find(await readHead(), [holding])).toEqual({ balance, allowance: 2n ** 256n - 1n })
})

test('a token that does not respond counts as 0', async () => {
  const holding = { owner: chain.owner, token: chain.owner }
  const balances = await findBalances({ network, chain: chain.client }, createBalanceCache(), await readHead(), [
    holding,
  ])
  expect(balances.get(toHoldingKey(holding))).toEqual({ balance: 0n, allowance: 0n })
})

test('a token that burns all gas does not affect others in the same round trip', async () => {
  const burning: Address = '0x1271000000000000000000000000000000000003'
  await chain.chain.setCode({ address: burning, bytecode: '0x5b600056' })
  const honest = { owner: chain.owner, token: chain.tokens.DAI.address }
  const read = async (holdings: Holding[]) =>
    findBalances({ network, chain: chain.client }, createBalanceCache(), await readHead(), holdings)
  const expected = (await read([honest])).get(toHoldingKey(honest))
  expect(expected?.balance).toBeGreaterThan(0n)
  const burners = [1, 2, 3].map((i): Holding => ({ owner: `0x${String(i).repeat(40)}`, token: burning }))
  const balances = await read([...burners, honest])
  expect(balances.get(toHoldingKey(honest))).toEqual(expected)
  for (const burner of burners) expect(balances.get(toHoldingKey(burner))).toEqual({ balance: 0n, allowance: 0n })
})

test('a failing node is an error, never a balance of 0', async () => {
  const dead = connectChain('http://127.0.0.1:9', network.chainId)
  const cache = createBalanceCache()
  const holding = { owner: chain.owner, token: chain.tokens.DAI.address }
  await expect(findBalances({ network, chain: dead }, cache, await readHead(), [holding])).rejects.toThrow()
  expect(cache.balances.size).toBe(0)
})

const transfer = async ({ owner, token }: Holding, to: Address, amount: bigint) =>
  sendFrom(chain.chain, owner, {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

/** The call for the balance within the code of a batch. */
const toCallText = ({ owner, token }: Holding): string =>
  `${token.slice(2)}000024${encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }).slice(2)}`

/** A cache that knows `holdings`, and which of them each further call reads from the chain. */
const watch = async (holdings: Holding[], client: Partial<ChainClient> = {}) => {
  const cache = createBalanceCache()
  const asked: string[][] = []
  const counting: ChainClient = {
    ...chain.client,
    ...client,
    call: (args) => {
      asked.push(holdings.filter((holding) => args.data?.includes(toCallText(holding))).map(toHoldingKey))
      return chain.client.call(args)
    },
  }
  const find = async (at: Awaited<ReturnType<typeof readHead>>) => {
    const balances = await findBalances({ network, chain: counting }, cache, at, holdings)
    return { balances, asked: asked.splice(0).flat() }
  }
  await find(await readHead())
  await chain.mine(1)
  await find(await readHead())
  return find
}

const owners = [1, 2, 3, 4].map((i): Address => `0x${`a${i}`.repeat(20)}`)
const holdingsOf = (token: Address) => owners.map((owner): Holding => ({ owner, token }))

test('a new block refreshes only holdings mentioned in logs of their token, and the next block none', async () => {
  const [first, second, ...others] = [...holdingsOf(chain.tokens.DAI.address), ...holdingsOf(chain.tokens.COW.address)]
  if (!first || !second) throw new Error('no holdings')
  const find = await watch([first, second, ...others])
  await transfer({ owner: chain.owner, token: first.token }, first.owner, 7n)
  const { balances, asked } = await find(await readHead())
  expect(asked).toEqual([toHoldingKey(first)])
  expect(balances.get(toHoldingKey(first))).toEqual({ balance: 7n, allowance: 0n })
  await chain.mine(4)
  expect((await find(await readHead())).asked).toEqual([toHoldingKey(first)])
  await chain.mine(1)
  expect((await find(await readHead())).asked).toEqual([])
})

test('holdings read at a replaced head are read again without a log', async () => {
  const holding = { owner: `0x${'b1'.repeat(20)}`, token: chain.tokens.DAI.address } as const
  const cache = createBalanceCache()
  const read = async (at: Awaited<ReturnType<typeof readHead>>) =>
    (await findBalances({ network, chain: chain.client }, cache, at, [holding])).get(toHoldingKey(holding))?.balance
  const before = await readHead()
  await transfer({ owner: chain.owner, token: holding.token }, holding.owner, 7n)
  expect(await read(before)).toBe(7n)
  await chain.reorganise(1)
  expect(await read(await readHead())).toBe(0n)
})

test('wrapping the native token is detected, although it emits no transfer', async () => {
  const holding = { owner: chain.owner, token: network.wrappedNative }
  const find = await watch([holding])
  await sendFrom(chain.chain, chain.owner, { to: network.wrappedNative, value: 5n })
  const { balances } = await find(await readHead())
  expect(balances.get(toHoldingKey(holding))?.balance).toBe(5n)
})

test('a balance that changes without a log is detected after ten minutes', async () => {
  const holding = { owner: chain.owner, token: rebasing }
  await chain.chain.setCode({ address: rebasing, bytecode: alwaysTimestamp })
  await chain.mine(5)
  const find = await watch([holding])
  await chain.mine(1)
  const head = await readHead()
  expect((await find(head)).asked).toEqual([])
  const later = {
    ...head,
    hash: `0x${'1'.repeat(64)}` as const,
    timestamp: new Date(head.timestamp.getTime() + 600_000),
  }
  expect((await find(later)).asked).toEqual([toHoldingKey(holding)])
})

/** Returns the time of the block to any call, and logs nothing. */
const rebasing: Address = '0x1271000000000000000000000000000000000004'
const alwaysTimestamp = '0x4260005260206000f3'

test('refreshes only holdings of a token whose logs the node does not return', async () => {
  const [talking, quiet] = [chain.tokens.DAI.address, chain.tokens.COW.address]
  const holdings = [...holdingsOf(talking), ...holdingsOf(quiet)]
  const find = await watch(holdings, {
    getLogs: (async (args: { address: Address[] }) => {
      if (args.address.includes(talking)) throw new Error('query returned more than 10000 results')
      return chain.client.getLogs(args)
    }) as never,
  })
  await chain.mine(1)
  expect((await find(await readHead())).asked).toEqual(holdingsOf(talking).map(toHoldingKey))
})

test('reads all holdings again after a reorganisation, after a long gap, and when the node returns no logs', async () => {
  const holdings = holdingsOf(chain.tokens.DAI.address)
  const all = holdings.map(toHoldingKey)
  await chain.mine(3)
  const reorganised = await watch(holdings)
  await chain.reorganise(2)
  await chain.mine(1)
  expect((await reorganised(await readHead())).asked).toEqual(all)

  const away = await watch(holdings)
  await chain.mine(101)
  expect((await away(await readHead())).asked).toEqual(all)

  const silent = await watch(holdings, { getLogs: () => Promise.reject(new Error('range too large')) })
  await chain.mine(1)
  expect((await silent(await readHead())).asked).toEqual(all)
})
