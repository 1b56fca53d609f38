import { asc } from 'drizzle-orm'
import {
  type Address,
  concat,
  encodeDeployData,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  size,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readEventKey } from '#schema/queries/strategies/conditionalEvents.ts'
import { endRemoved, storeVerdicts } from '#schema/queries/strategies/storeVerdicts.ts'
import { conditionalOrders } from '#schema/tables/chain/conditionalOrders.ts'
import { notifications } from '#schema/tables/notifications/notifications.ts'
import { conditionalParts } from '#schema/tables/orders/conditionalParts.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { networks } from '#shared/networks.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { encodeTwap } from '#shared/strategies/twap.ts'
import type { TestSafe } from '#test/helpers/chain/safe.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { createConditionalOrder, deployStrategySafe, findHandler } from '#test/helpers/chain/strategySafe.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { encodeGoodAfterTime, encodeStopLoss } from '#test/helpers/orders/staticInputs.ts'
import { startTestDriver, type TestDriver } from '#test/helpers/solvers/testDriver.ts'
import { deployComposableCow } from '#tools/stack/chain/contracts/deployComposableCow.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { createIndexState, indexChain } from '../indexing/indexChain.ts'
import { createStrategies } from './createStrategies.ts'

const network = networks.sepolia
const owner = devAccounts[6]
const period = 100n
const wei = 10n ** 18n

let chain: SettlementChain
let testDatabase: TestDatabase
let driver: TestDriver
/** wei per 10¹⁸ atoms */
let values: Record<Address, bigint>
let safe: TestSafe
let startBlock: number
let state = createIndexState()
let strategies: ReturnType<typeof createStrategies>
let seed = 0

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startSettlementChain(), startTestDatabase()])
  values = { [network.wrappedNative]: wei }
  driver = await startTestDriver({ name: 'first', address: chain.solver, execute: () => undefined, values })
  await deployComposableCow(chain.chain)
  safe = await deployStrategySafe(chain.chain, owner)
})

afterAll(async () => {
  await driver?.stop()
  await chain?.stop()
  await testDatabase?.close()
})

beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
  state = createIndexState()
  restart()
})

/** A clock without memory. */
const restart = () => {
  const deps = buildIndexDeps(testDatabase.database, chain.client, startBlock)
  strategies = createStrategies({ ...deps, solvers: [driver.solver], background: () => undefined })
}

/** Indexes the chain up to its head, and evaluates what is due there. */
const advance = async () => {
  const { head } = await indexChain(buildIndexDeps(testDatabase.database, chain.client, startBlock), state)
  return strategies.advance(head)
}

const now = async () => Number((await chain.chain.getBlock()).timestamp)
const moveTo = async (time: number) => {
  await chain.chain.setNextBlockTimestamp({ timestamp: BigInt(time) })
  await chain.mine(1)
}
const salt = (): Hex => {
  seed += 1
  return toHex(seed, { size: 32 })
}
const twap = (t0: number, changes: Partial<Parameters<typeof encodeTwap>[0]> = {}) => ({
  handler: findHandler('Twap'),
  salt: salt(),
  staticInput: encodeTwap({
    ...{ sellToken: chain.tokens.DAI.address, buyToken: chain.tokens.COW.address, receiver: safe.address },
    ...{ partSellAmount: 1_000n, minPartLimit: 900n, t0: BigInt(t0), n: 4n, t: period, span: 0n, appData: zeroHash },
    ...changes,
  }),
})
const placed = async () =>
  (await testDatabase.database.select().from(orders).orderBy(asc(orders.validTo))).map(({ validTo }) => validTo)
const rows = () => testDatabase.database.select().from(conditionalOrders)
/** Events of conditional orders: the label, and the reason of an end or the label that was undone. */
const changes = async () =>
  (await testDatabase.database.select().from(orderEvents).orderBy(asc(orderEvents.id))).flatMap((event) => {
    const { label, reason, data } = event
    if (readEventKey(event.orderUid) === undefined) return []
    const undone = label === 'undone' ? (data as { label: string }).label : undefined
    return [[label, reason ?? undone].filter(Boolean).join(' ')]
  })
const remove = (hash: Hex) =>
  safe.call(network.composableCow, encodeFunctionData({ abi: composableCowAbi, functionName: 'remove', args: [hash] }))

test('each part of a TWAP enters the book in the block in which it becomes tradeable, once, with its signature', async () => {
  const t0 = (await now()) + 50
  const params = twap(t0)
  await createConditionalOrder(safe, params)
  await advance()
  expect(await placed()).toEqual([])
  expect((await rows())[0]).toMatchObject({
    ...{ owner: safe.address, hash: hashParams(params), state: 'open', nextTime: t0, failures: 0 },
    verdict: { reason: 'notYet', message: 'before twap start' },
  })
  await moveTo(t0 - 1)
  await advance()
  expect(await placed()).toEqual([])
  const ends = [99, 199, 299, 399].map((second) => t0 + second)
  for (const [part, end] of ends.entries()) {
    await moveTo(t0 + part * Number(period))
    await advance()
    expect(await placed()).toEqual(ends.slice(0, part + 1))
    restart()
    await chain.mine(1)
    await advance()
    expect(await placed()).toHaveLength(part + 1)
    expect((await rows())[0]).toMatchObject({ state: 'open', nextTime: end + 1, unfilled: part + 1 })
  }
  const [order] = await testDatabase.database.select().from(orders)
  const accepts = await chain.chain.readContract({
    address: safe.address,
    abi: [
      {
        ...{ type: 'function', name: 'isValidSignature', stateMutability: 'view' },
        inputs: [{ type: 'bytes32' }, { type: 'bytes' }],
        outputs: [{ type: 'bytes4' }],
      },
    ] as const,
    functionName: 'isValidSignature',
    args: [(await lastUid()).slice(0, 66) as Hex, (await lastOrder()).signature],
    account: network.settlementContract,
  })
  expect(accepts).toBe('0x1626ba7e')
  expect(order).toMatchObject({ owner: safe.address, signingScheme: 'eip1271', sellAmount: 1_000n, onchainUser: null })
  expect(await testDatabase.database.select().from(conditionalParts)).toHaveLength(4)
  await moveTo(t0 + 400)
  await advance()
  expect((await rows())[0]).toMatchObject({ state: 'ended', verdict: { reason: 'finished' } })
  expect(await changes()).toEqual(['opened', 'ended expired'])
})

const lastOrder = async () => {
  const all = await testDatabase.database.select().from(orders).orderBy(asc(orders.validTo))
  const last = all.at(-1)
  if (!last) throw new Error('no order')
  return last
}
const lastUid = async (): Promise<Hex> => (await lastOrder()).uid

test('a removed order ends without an event, and none of its parts follow; one authorised again continues', async () => {
  const t0 = await now()
  const params = twap(t0)
  await createConditionalOrder(safe, params)
  await advance()
  expect(await placed()).toHaveLength(1)
  await remove(hashParams(params))
  await advance()
  expect((await rows())[0]).toMatchObject({ state: 'ended', verdict: { reason: 'removed' } })
  await moveTo(t0 + 50)
  await advance()
  expect(await lastOrder()).toMatchObject({ invalidated: true })
  const { database } = testDatabase
  expect((await database.select().from(orderEvents)).filter(({ label }) => label === 'cancelled')).toMatchObject([
    { data: { by: safe.address } },
  ])
  expect(await database.select().from(notifications).orderBy(asc(notifications.id))).toMatchObject([
    { account: safe.address, type: 'conditional_order_ended', facts: { conditional: { reason: 'cancelled' } } },
    { account: safe.address, type: 'order_cancelled', facts: { cancellation: { transactionHash: null } } },
  ])
  await moveTo(t0 + 100)
  await advance()
  expect(await placed()).toHaveLength(1)
  await createConditionalOrder(safe, params)
  await createConditionalOrder(safe, params)
  await advance()
  expect(await placed()).toHaveLength(2)
  expect(await changes()).toEqual(['opened', 'ended cancelled', 'opened'])
})

test('the part of a removed order is open again when a reorganisation replaces the removal', async () => {
  const params = twap(await now())
  await createConditionalOrder(safe, params)
  await advance()
  await remove(hashParams(params))
  await advance()
  await chain.mine(1)
  await advance()
  expect(await lastOrder()).toMatchObject({ invalidated: true })
  await chain.reorganise(2)
  await chain.mine(1)
  await advance()
  expect((await rows())[0]).toMatchObject({ state: 'open', verdict: { reason: 'partPlaced' } })
  expect(await lastOrder()).toMatchObject({ invalidated: false })
  expect(await changes()).toEqual(['opened', 'undone ended'].toSorted())
})

test('a reorganisation removes an order whose creation it replaced, and evaluates others again', async () => {
  const t0 = await now()
  const kept = twap(t0)
  await createConditionalOrder(safe, kept)
  await advance()
  const { hash } = await chain.chain.getBlock()
  const other = twap(t0)
  await createConditionalOrder(safe, other)
  await advance()
  expect(await rows()).toHaveLength(2)
  await chain.reorganise(1)
  await chain.mine(1)
  await advance()
  expect(hash).toBeDefined()
  expect((await rows()).map(({ hash }) => hash)).toEqual([hashParams(kept)])
  expect((await rows())[0]).toMatchObject({ state: 'open', verdict: { reason: 'partPlaced' } })
  expect(await changes()).toEqual(['opened', 'undone opened'])
})

test('an outcome of a replaced block, or of an order that a later event made due again, is not stored', async () => {
  await createConditionalOrder(safe, twap((await now()) + 500))
  await advance()
  const [row] = await rows()
  const head = await chain.chain.getBlock()
  if (!row) throw new Error('no row')
  const timestamp = new Date(Number(head.timestamp) * 1_000)
  const block = { number: Number(head.number), hash: head.hash, timestamp }
  const ended = { ...row, state: 'ended' as const, verdict: { reason: 'finished' as const }, change: null }
  const store = async (at: typeof block, judgedBlock: number | null) => {
    await storeVerdicts(testDatabase.database, network.chainId, at, [{ ...ended, judgedBlock }])
    await endRemoved(testDatabase.database, network.chainId, at, [{ ...ended, judgedBlock }])
    return (await rows())[0]?.verdict?.reason
  }
  expect(await store({ ...block, hash: zeroHash }, row.judgedBlock)).toBe('notYet')
  expect(await store(block, null)).toBe('notYet')
  expect(await store(block, row.judgedBlock)).toBe('removed')
})

test('a handler that burns its gas and one without code delay no other, and are evaluated ever less often', async () => {
  const burner: Address = `0x${'b1'.repeat(20)}`
  // an endless loop
  await chain.chain.setCode({ address: burner, bytecode: '0x5b600056' })
  const t0 = await now()
  for (const handler of [burner, `0x${'b2'.repeat(20)}`] as const)
    for (let i = 0; i < 8; i++) await createConditionalOrder(safe, { handler, salt: salt(), staticInput: '0x' })
  await createConditionalOrder(safe, twap(t0))
  await advance()
  expect(await placed()).toHaveLength(1)
  const failing = (await rows()).filter(({ failures }) => failures > 0)
  expect(failing).toHaveLength(16)
  const { number } = await chain.chain.getBlock()
  expect(failing.every(({ nextBlock }) => nextBlock === Number(number) + 1)).toBe(true)
  await chain.mine(1)
  await advance()
  expect((await rows()).filter(({ nextBlock }) => nextBlock === Number(number) + 3)).toHaveLength(16)
})

/** Code of a handler of conditional orders: it says that it is one, and runs this code for an order. */
const installHandler = async (code: Hex): Promise<Address> => {
  seed += 1
  const address = toHex(0x4a00 + seed, { size: 20 })
  await chain.chain.setCode({ address, bytecode: concat(['0x5f3560e01c6301ffc9a7141560175760015f5260205ff35b', code]) })
  return address
}
/** Reverts with an error of the poll interface. */
const revertWith = (errorName: 'PollTryAtBlock' | 'PollTryAtEpoch', at: bigint): Hex => {
  const data = encodeErrorResult({ abi: composableCowAbi, errorName, args: [at, ''] })
  return concat([`0x60${size(data).toString(16)}60225f3960${size(data).toString(16)}5ffd`, data])
}
const stranger: Address = `0x${'5e'.repeat(20)}`
/** Another order in each block: it pays a stranger, and is valid for ten seconds. */
const changingOrder = (sellToken: Address, buyToken: Address): Hex => {
  const fields = [sellToken, buyToken, stranger, toHex(1_000), toHex(900), '0x', '0x', '0x'] as const
  const hashes = [hashText('sell'), '0x', hashText('erc20'), hashText('erc20')] as const
  const words = [...fields, ...hashes].map((word) => pad(word))
  return concat(['0x610180602b5f3942600a0160a0526101805ff3', ...words])
}
const hashText = (text: string) => keccak256(toHex(text))

test('handlers that lie about times, return too much or change their mind delay no other, and are slowed visibly', async () => {
  const { DAI, COW } = chain.tokens
  const codes: [Hex, string][] = [
    [revertWith('PollTryAtBlock', 2n ** 255n), 'notYet'],
    [revertWith('PollTryAtBlock', 0n), 'notYet'],
    [revertWith('PollTryAtEpoch', 0n), 'notYet'],
    [revertWith('PollTryAtEpoch', maxUint256), 'notYet'],
    // 128 KiB of an order, of an error; a megabyte
    ['0x620200005ff3', 'partRefused'],
    ['0x620200005ffd', 'failed'],
    ['0x621000005ff3', 'exhausted'],
    [changingOrder(DAI.address, COW.address), 'partPlaced'],
  ]
  const reasons = new Map<Address, string>()
  for (const [code, reason] of codes) {
    const handler = await installHandler(code)
    reasons.set(handler, reason)
    await createConditionalOrder(safe, { handler, salt: salt(), staticInput: '0x' })
  }
  const honest = twap(await now())
  await createConditionalOrder(safe, honest)
  await advance()
  const found = Object.fromEntries((await rows()).map(({ handler, verdict }) => [handler, verdict?.reason]))
  expect(found).toEqual({ ...Object.fromEntries(reasons), [honest.handler]: 'partPlaced' })
  const waits = (await rows()).flatMap(({ verdict, nextBlock }) => (verdict?.reason === 'notYet' ? [nextBlock] : []))
  expect(Math.max(...waits)).toBe(Number.MAX_SAFE_INTEGER)
  const parts = async () =>
    (await testDatabase.database.select().from(orders)).filter(({ receiver }) => receiver === stranger)
  for (let i = 0; i < 30; i++) {
    await moveTo((await now()) + 12)
    await advance()
  }
  expect(await parts()).toHaveLength(21)
  // its receiver is a stranger, but it sells tokens of the account that authorised it
  expect(new Set((await parts()).map((part) => part.owner))).toEqual(new Set([safe.address]))
  expect((await changes()).filter((change) => change !== 'opened')).toEqual(['slowed'])
})

test('a wallet that loses its fallback handler has no further part, until it has one again', async () => {
  const setHandler = (handler: Address) =>
    safe.call(
      safe.address,
      encodeFunctionData({
        abi: parseAbi(['function setFallbackHandler(address handler)']),
        functionName: 'setFallbackHandler',
        args: [handler],
      }),
    )
  const t0 = await now()
  await createConditionalOrder(safe, twap(t0))
  await advance()
  await setHandler(zeroAddress)
  await moveTo(t0 + 100)
  await advance()
  expect(await placed()).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({ state: 'open', failures: 1 })
  await setHandler(findHandler('ExtensibleFallbackHandler'))
  await chain.mine(2)
  await advance()
  expect(await placed()).toHaveLength(2)
  expect((await rows())[0]).toMatchObject({ state: 'open', failures: 0 })
})

test('a stop loss and an order that is good after a time enter the book when their condition holds, not before', async () => {
  const { abi, creationCode } = readCompiledContract('PriceOracle')
  const deploy = encodeDeployData({ abi, bytecode: creationCode })
  const { contractAddress: oracle } = await waitForReceipt(
    chain.chain,
    await chain.chain.sendTransaction({ account: owner.address, data: deploy }),
  )
  if (!oracle) throw new Error('no oracle')
  const setPrice = (price: bigint) =>
    sendFrom(chain.chain, owner.address, {
      to: oracle,
      data: encodeFunctionData({ abi, functionName: 'set', args: [price] }),
    })
  const dollar = 10n ** 8n
  await setPrice(2n * dollar)
  const constant: Address = `0x${'0c'.repeat(20)}`
  // the same oracle at another address, at one dollar
  await chain.chain.setCode({ address: constant, bytecode: (await chain.chain.getCode({ address: oracle })) ?? '0x' })
  await chain.chain.setStorageAt({ address: constant, index: pad('0x0'), value: toHex(dollar, { size: 32 }) })
  // the validity of a stop loss is a multiple of its bucket: in the next bucket its order would be another one
  const bucketSeconds = 10_000
  await moveTo((Math.floor((await now()) / bucketSeconds) + 1) * bucketSeconds)
  const time = await now()
  const common = { sellToken: chain.tokens.DAI.address, buyToken: chain.tokens.COW.address, receiver: safe.address }
  await createConditionalOrder(safe, {
    handler: findHandler('StopLoss'),
    salt: salt(),
    staticInput: encodeStopLoss({
      ...{ ...common, sellAmount: 1_000n, buyAmount: 1n, appData: zeroHash },
      ...{ isSellOrder: true, isPartiallyFillable: false, validityBucketSeconds: bucketSeconds },
      ...{ sellTokenPriceOracle: oracle, buyTokenPriceOracle: constant, strike: 15n * 10n ** 17n },
      maxTimeSinceLastOracleUpdate: 1_000n,
    }),
  })
  // 98 % of the second one's worth is no uint256: it delays no other
  for (const sellAmount of [2_000n, maxUint256])
    await createConditionalOrder(safe, {
      handler: findHandler('GoodAfterTime'),
      salt: salt(),
      staticInput: encodeGoodAfterTime({
        ...{ ...common, sellAmount, minSellBalance: 0n, allowPartialFill: false },
        ...{
          startTime: BigInt(time + 500),
          endTime: BigInt(time + 5_000),
          priceCheckerPayload: '0x',
          appData: zeroHash,
        },
      }),
    })
  await advance()
  expect(await placed()).toEqual([])
  expect((await rows()).map(({ verdict }) => verdict?.message).sort()).toEqual([
    'strike not reached',
    'too early',
    'too early',
  ])
  await setPrice(dollar)
  await advance()
  expect((await lastOrder()).sellAmount).toBe(1_000n)
  await moveTo(time + 500)
  await advance()
  expect((await rows()).map(({ verdict }) => verdict?.message)).toContain(
    'its owner signs no limit, and native prices of its tokens give none',
  )
  const limited = async () =>
    (await testDatabase.database.select().from(orders))
      .filter(({ sellAmount }) => sellAmount === 2_000n)
      .map(({ buyAmount }) => buyAmount)
  expect(await limited()).toEqual([])
  Object.assign(values, { [chain.tokens.DAI.address]: 3n * wei, [chain.tokens.COW.address]: wei })
  restart()
  await chain.mine(1)
  await advance()
  // 98 % of three times as much
  expect(await limited()).toEqual([5_880n])
  values[chain.tokens.DAI.address] = 2n * wei
  await testDatabase.database
    .update(conditionalOrders)
    .set({ judgedBlock: null, partUid: null, nextBlock: 0, nextTime: 0 })
  restart()
  await chain.mine(1)
  await advance()
  expect(await limited()).toEqual([5_880n])
})
