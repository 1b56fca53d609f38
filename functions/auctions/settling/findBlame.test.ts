import { type AccessList, type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { solutionOrders } from '#schema/tables/auctions/solutions.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { type FailedAttempt, findBlame } from './findBlame.ts'

const network = networks.sepolia
const { chainId, settlementContract } = network
const stranger = devAccounts[5].address
const auctionId = 7

const { database, close } = await startTestDatabase()
let chain: SettlementChain
let seed = 0

beforeAll(async () => {
  chain = await startSettlementChain()
  for (const [to, amount] of [
    [stranger, 10n ** 21n],
    [settlementContract, 10n ** 21n],
  ] as const)
    await sendFrom(chain.chain, chain.owner, { to: chain.tokens.DAI.address, data: encode('transfer', to, amount) })
  const data = encode('approve', network.vaultRelayer, maxUint256)
  await sendFrom(chain.chain, stranger, { to: chain.tokens.DAI.address, data })
})
beforeEach(() => emptyDatabase(database))
afterAll(async () => {
  await chain?.stop()
  await close()
})

const encode = (functionName: 'transfer' | 'approve', account: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName, args: [account, amount] })
const encodePresign = (uid: Hex, signed: boolean): Hex =>
  encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid, signed] })

/** A pre-signed order in the winning solution. */
const win = async (owner: Address, changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  seed += 1
  const order = chain.buildOrder(seed, { owner, ...changes })
  await insertOrder(database, order)
  await sendFrom(chain.chain, owner, { to: settlementContract, data: encodePresign(order.uid, true) })
  const { uid: orderUid, sellToken, buyToken } = order
  await database.insert(solutionOrders).values({
    ...{ chainId, auctionId, solutionUid: 0, orderUid, side: 'sell', sellToken, buyToken },
    ...{ limitSell: 1000n, limitBuy: 3000n, executedSell: 1000n, executedBuy: 3000n },
  })
  return order
}
const settle = (orders: NewOrder[], executedBuy = 3000n): Hex =>
  chain.encodeSettle(
    orders.map((order) => ({ order, executedSell: 1000n, executedBuy })),
    auctionId,
  )

type Sent = { from: Address; to: Address; data: Hex; accessList?: AccessList }

/** Mines these transactions in one block, in order. @returns the block before */
const mineTogether = async (transactions: Sent[]): Promise<number> => {
  const before = Number(await chain.client.getBlockNumber())
  await chain.chain.setAutomine(false)
  for (const [i, { from, ...transaction }] of transactions.entries())
    await chain.chain.sendTransaction({
      ...{ account: from, ...transaction, gas: 1_000_000n, chain: null },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n - BigInt(i) * 10n ** 8n },
    })
  await chain.mine(1)
  await chain.chain.setAutomine(true)
  return before
}

const blame = async (startBlock: number, changes: Partial<FailedAttempt> = {}, client: ChainClient = chain.client) => {
  const endBlock = Number(await chain.client.getBlockNumber())
  const deps = { network, database, chain: client, simulate: simulateCalls(chain.rpcUrl) }
  const attempt = { auctionId, solutionUid: 0, solver: chain.solver, startBlock, endBlock, deadlineBlock: endBlock }
  return findBlame(deps, { ...attempt, undoneFrom: null, calldata: undefined, ...changes })
}

test('blames the order whose signature is missing only between the first and the last transaction of the block', async () => {
  const [honest, hostile] = [await win(chain.owner), await win(stranger)]
  const toggle = (signed: boolean) => ({
    ...{ from: stranger, to: settlementContract, data: encodePresign(hostile.uid, signed) },
  })
  const settlement = { from: chain.solver, to: settlementContract, data: settle([honest, hostile]) }
  const before = await mineTogether([toggle(false), settlement, toggle(true)])
  expect(await blame(before)).toEqual({
    party: 'orders',
    orders: [hostile.uid],
    reason: `order ${hostile.uid} fails alone: it is not pre-signed`,
  })
})

test('blames the order whose owner has no balance only between the first and the last transaction of the block', async () => {
  const [honest, hostile] = [await win(chain.owner), await win(stranger)]
  const { address: token } = chain.tokens.DAI
  const holder = devAccounts[4].address
  const balance = await chain.client.readContract({
    ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [stranger] },
  })
  const before = await mineTogether([
    { from: stranger, to: token, data: encode('transfer', holder, balance) },
    { from: chain.solver, to: settlementContract, data: settle([honest, hostile]) },
    { from: holder, to: token, data: encode('transfer', stranger, balance) },
  ])
  expect(await blame(before)).toMatchObject({ party: 'orders', orders: [hostile.uid] })
})

test('blames neither for a transaction that reverts without a cause, and lets orders of one owner wait', async () => {
  const first = await win(chain.owner)
  // more than the settlement contract has
  const revert = (orders: NewOrder[]) => [
    { from: chain.solver, to: settlementContract, data: settle(orders, 10n ** 30n) },
  ]
  const before = await mineTogether(revert([first]))
  expect(await blame(before)).toMatchObject({ party: 'none', orders: [first.uid] })
  const second = await win(stranger)
  expect(await blame(await mineTogether(revert([first, second])))).toMatchObject({ party: 'none', orders: [] })
})

test('lets orders of one owner wait when the node cannot simulate', async () => {
  const order = await win(chain.owner)
  const data = settle([order], 10n ** 30n)
  const before = await mineTogether([{ from: chain.solver, to: settlementContract, data }])
  const endBlock = Number(await chain.client.getBlockNumber())
  const deps = { network, database, chain: chain.client, simulate: simulateCalls('http://127.0.0.1:9') }
  const place = { startBlock: before, endBlock, deadlineBlock: endBlock }
  const attempt = { auctionId, solutionUid: 0, solver: chain.solver, ...place }
  expect(await findBlame(deps, { ...attempt, undoneFrom: null, calldata: data })).toMatchObject({
    ...{ party: 'none', orders: [order.uid], reason: expect.stringContaining('not simulated') },
  })
})

test('blames a solver that sends nothing although its calldata succeeds, and no other', async () => {
  const order = await win(chain.owner)
  const before = Number(await chain.client.getBlockNumber())
  await chain.mine(2)
  const calldata = settle([order])
  expect(await blame(before, { calldata })).toMatchObject({ party: 'solver', orders: [] })
  const yielding = { party: 'none', orders: [], sentNothing: true }
  // reported in time: another solver may have the orders at once, and the pools may have moved
  expect(await blame(before, { deadlineBlock: before + 9 })).not.toHaveProperty('sentNothing')
  expect(await blame(before)).toMatchObject(yielding)
  expect(await blame(before, { calldata: settle([order], 10n ** 30n) })).toMatchObject(yielding)
  expect(await blame(before, { calldata, undoneFrom: before })).toMatchObject({ party: 'none' })
  await chain.presign(order.uid, false)
  expect(await blame(before, { calldata })).toMatchObject({ party: 'orders', orders: [order.uid] })
})

test('blames a solver that sends the calldata of its settlement to another account', async () => {
  const order = await win(chain.owner)
  const calldata = settle([order])
  const before = await mineTogether([{ from: chain.solver, to: stranger, data: calldata }])
  expect(await blame(before, { calldata })).toMatchObject({ party: 'solver', orders: [] })
})

describe('ether', () => {
  const receiver: Address = `0x${'9c'.repeat(20)}`
  const slot = (number: number): Hex => numberToHex(number, { size: 32 })
  const winEther = async (code: Hex) => {
    await chain.chain.setCode({ address: receiver, bytecode: code })
    await chain.chain.setBalance({ address: settlementContract, value: 10n ** 18n })
    return win(chain.owner, { buyToken: nativeSentinel, receiver })
  }

  test('blames a silent solver that pays to a proxy, which takes it with an access list only', async () => {
    // reads two slots: 4,200 gas when they are not declared
    const order = await winEther('0x600054506001545000')
    const before = Number(await chain.client.getBlockNumber())
    await chain.mine(2)
    expect(await blame(before, { calldata: settle([order]) })).toMatchObject({ party: 'solver', orders: [] })
    await chain.chain.setCode({ address: receiver, bytecode: '0x60006000fd' })
    expect(await blame(before, { calldata: settle([order]) })).toMatchObject({ party: 'orders', orders: [order.uid] })
  })

  test('a node that hangs on access lists delays a judgement for as long as one that hangs on simulations', async () => {
    const order = await winEther('0x00')
    const before = Number(await chain.client.getBlockNumber())
    await chain.mine(2)
    const request = (call: { method: string }) =>
      call.method === 'eth_createAccessList' ? new Promise(() => undefined) : chain.client.request(call as never)
    const hanging = { ...chain.client, request } as unknown as ChainClient
    expect(await blame(before, { calldata: settle([order]) }, hanging)).toEqual({
      ...{ party: 'none', orders: [], reason: 'not simulated: timeout' },
    })
  })

  test('blames the order whose receiver a transaction with an access list made refuse ether', async () => {
    // without value: stores whether slot 5 is declared; with value: reverts when it was
    const order = await winEther('0x346015575a600554505a90036103e81160005500005b600054601d57005b60006000fd')
    const accessList = [{ address: receiver, storageKeys: [slot(5)] }]
    const toggle = { from: stranger, to: receiver, data: '0x' } as const
    const settlement = { from: chain.solver, to: settlementContract, data: settle([order]) }
    const before = await mineTogether([{ ...toggle, accessList }, settlement, toggle])
    expect(await blame(before)).toMatchObject({
      ...{ party: 'orders', orders: [order.uid], reason: expect.stringContaining('its receiver refuses the payment') },
    })
  })
})

describe('a settlement that reverts only behind other transactions of its block', () => {
  const owner = devAccounts[7]
  const stopping: Address = `0x${'9d'.repeat(20)}`
  const sellToken = () => chain.tokens.DAI.address
  const buyToken = () => chain.tokens.COW.address
  /** An order in the winning solution that its owner's key signs. */
  const winSigned = async (executedBuy = 3000n, changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
    seed += 1
    const order = chain.buildOrder(seed, { signingScheme: 'eip712', buyAmount: executedBuy, ...changes })
    const signature = await sign({ hash: order.uid.slice(0, 66) as Hex, privateKey: owner.privateKey, to: 'hex' })
    return win(owner.address, { ...order, signature })
  }
  const prices = () => ({ [sellToken()]: '1', [buyToken()]: '1', [nativeSentinel]: '1' })
  const proveBoth = (provenPrices: Record<string, string>) =>
    database.insert(auctions).values({ chainId, id: auctionId, block: 1, deadlineBlock: 9, prices: {}, provenPrices })
  const findHeld = (token: Address): Promise<bigint> =>
    token === nativeSentinel
      ? chain.chain.getBalance({ address: settlementContract })
      : chain.client.readContract({
          ...{ address: token as Address, abi: erc20Abi, functionName: 'balanceOf', args: [settlementContract] },
        })
  /** Another settlement takes so much first that the second cannot pay. */
  const mineMoved = async (...orders: [NewOrder, ...NewOrder[]]): Promise<number> => {
    const [{ buyToken: taken }] = orders
    const held = await findHeld(taken)
    seed += 1
    const other = chain.buildOrder(seed, { buyToken: taken })
    await chain.presign(other.uid)
    const from = { from: chain.solver, to: settlementContract }
    const before = await mineTogether([
      { ...from, data: chain.encodeSettle([{ order: other, executedSell: 1000n, executedBuy: held - 1n }], 6) },
      { ...from, data: settle(orders) },
    ])
    await sendFrom(chain.chain, chain.owner, {
      to: buyToken(),
      data: encode('transfer', settlementContract, held - 1n),
    })
    return before
  }

  test('lets no order wait that has no code, in tokens with proven prices', async () => {
    await proveBoth(prices())
    const before = await mineMoved(await winSigned())
    const moved = { party: 'none', orders: [], reason: expect.stringContaining('only behind others of its block') }
    const endBlock = Number(await chain.client.getBlockNumber())
    expect(await blame(before)).toEqual({ ...moved, movedBlocks: endBlock - before })
    // a solver that moved the pool itself gains nothing by a report after its deadline, or by a late one
    expect(await blame(before, { deadlineBlock: before + 1 })).toEqual({ ...moved, movedBlocks: 1 })
    await chain.mine(3)
    expect(await blame(before)).toEqual({ ...moved, movedBlocks: endBlock - before + 3 })
  })

  test('finds the cause for orders of several owners too', async () => {
    await proveBoth(prices())
    const before = await mineMoved(await winSigned(), await win(stranger))
    expect(await blame(before)).toMatchObject({ party: 'none', orders: [], movedBlocks: expect.any(Number) })
  })

  test('lets it wait when it reverts at the beginning of the block too', async () => {
    await proveBoth(prices())
    const order = await winSigned()
    const revert = { from: chain.solver, to: settlementContract, data: settle([order], 10n ** 30n) }
    const other = { from: stranger, to: stranger, data: '0x' } as const
    const found = await blame(await mineTogether([other, revert]))
    expect(found).toMatchObject({ orders: [order.uid] })
    expect(found).not.toHaveProperty('movedBlocks')
  })

  test.each<[string, () => Record<string, string>, Partial<NewOrder>]>([
    ['pays ether to a contract', prices, { buyToken: nativeSentinel, receiver: stopping }],
    ['has no proven price of a token', () => ({ [sellToken()]: '1' }), {}],
    ['has a hook', prices, { postInteractions: [{ target: stranger, callData: '0x', value: '0' }] }],
  ])('lets an order wait that %s', async (_, proven, changes) => {
    await proveBoth(proven())
    await chain.chain.setCode({ address: stopping, bytecode: '0x00' })
    await chain.chain.setBalance({ address: settlementContract, value: 10n ** 18n })
    const order = await winSigned(3000n, changes)
    const held = { party: 'none', orders: [order.uid], movedBlocks: expect.any(Number) }
    expect(await blame(await mineMoved(order))).toMatchObject(held)
  })

  test('lets an order wait whose validity depends on code', async () => {
    await proveBoth(prices())
    const order = await win(chain.owner)
    expect(await blame(await mineMoved(order))).toMatchObject({ party: 'none', orders: [order.uid] })
  })
})

test('a node that hangs on blocks ends a judgement by its deadline, and the attempt is attributed later', async () => {
  await win(chain.owner)
  const before = Number(await chain.client.getBlockNumber())
  await chain.mine(2)
  let requests = 0
  const getBlock = () => {
    requests += 1
    return new Promise(() => undefined)
  }
  const hanging = { ...chain.client, getBlock } as unknown as ChainClient
  await expect(blame(before, {}, hanging)).rejects.toThrow('timeout')
  expect(requests).toBe(1)
})

test('blames no order for a buy token that refuses every payment of nothing', async () => {
  const buyToken: Address = `0x${'ef'.repeat(20)}`
  await chain.chain.setCode({ address: buyToken, bytecode: '0x60006000fd' })
  await win(chain.owner, { buyToken })
  expect(await blame(Number(await chain.client.getBlockNumber()))).toMatchObject({ party: 'none', orders: [] })
})
