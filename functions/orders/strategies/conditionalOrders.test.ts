import { concatHex, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { insertPart } from '#schema/queries/strategies/conditionalParts.ts'
import { insertConditionalOrders } from '#schema/queries/strategies/insertConditionalEvents.ts'
import { storeVerdicts } from '#schema/queries/strategies/storeVerdicts.ts'
import { currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { deployComposableCow } from '#tools/stack/chain/contracts/deployComposableCow.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { getConditionalOrder } from './getConditionalOrder.ts'
import { getConditionalOrders } from './getConditionalOrders.ts'
import { postConditionalProofs } from './postConditionalProofs.ts'

const network = networks.sepolia
const { chainId } = network
const handler = publicContracts.twap
const leaves = [1, 2].map((salt) => ({ handler, salt: toHex(salt, { size: 32 }), staticInput: '0x1234' as Hex }))
const hashes = leaves.map(hashParams)
const nodes = hashes.map((hash) => keccak256(hash))
const root = keccak256(concatHex(nodes.toSorted()))
const proofs = leaves.map((params, i) => ({ params, proof: [nodes[1 - i]] }))

let chain: SettlementChain
let testDatabase: TestDatabase

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startSettlementChain(), startTestDatabase()])
  await deployComposableCow(chain.chain)
  const setRoot = {
    abi: composableCowAbi,
    functionName: 'setRoot',
    args: [root, { location: 0n, data: '0x' }],
  } as const
  await sendFrom(chain.chain, chain.owner, { to: network.composableCow, data: encodeFunctionData(setRoot) })
})
afterAll(async () => {
  await chain?.stop()
  await testDatabase?.close()
})

const reading = () => ({ database: testDatabase.database, chainId })
const post = (body: object) =>
  postConditionalProofs(reading(), { chain: connectChain(chain.rpcUrl, chainId), network }).request(
    '/api/v1/conditional_orders',
    { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
  )
const list = (query = '') => getConditionalOrders(reading()).request(`/api/v1/conditional_orders${query}`)
const find = (hash: Hex) => getConditionalOrder(reading()).request(`/api/v1/conditional_orders/${chain.owner}/${hash}`)

test('proofs that lead to the root of their owner are stored once, others are refused by name', async () => {
  const wrong = [proofs[0], { ...proofs[1], proof: [nodes[1]] }]
  const refused = await post({ owner: chain.owner, proofs: wrong })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ errorType: 'InvalidParameter', data: { field: 'proofs.1.proof', root } })
  for (let i = 0; i < 2; i++) {
    const stored = await post({ owner: chain.owner, proofs })
    expect(stored.status).toBe(201)
    expect(await stored.json()).toEqual(hashes)
  }
  expect(await (await list()).json()).toHaveLength(2)
})

test('a list has pages and filters', async () => {
  const first = await list(`?owner=${chain.owner}&state=open&limit=1`)
  const cursor = first.headers.get('X-Next-Cursor')
  const second = await list(`?owner=${chain.owner}&state=open&limit=1&cursor=${cursor}`)
  expect(second.headers.get('X-Next-Cursor')).toBeNull()
  const both = [...((await first.json()) as { hash: Hex }[]), ...((await second.json()) as { hash: Hex }[])]
  expect(both.map(({ hash }) => hash).sort()).toEqual(hashes.toSorted())
  expect(await (await list('?state=ended')).json()).toEqual([])
})

test('one has its parts, progress, and the reason of its newest evaluation', async () => {
  const order = newOrder(1, { owner: chain.owner })
  const [hash] = hashes
  if (!hash) throw new Error('no hash')
  await insertOrder(testDatabase.database, order, null, null, null, [
    insertPart(testDatabase.database, chainId, { owner: chain.owner, hash }, { uid: order.uid, placedBlock: 7 }),
  ])
  const block = { number: 7, hash, timestamp: new Date() }
  await testDatabase.database.insert(blocks).values({ chainId, ...block })
  await storeVerdicts(testDatabase.database, chainId, block, [
    {
      owner: chain.owner,
      hash,
      state: 'open',
      nextBlock: 8,
      nextTime: 1_800_000_000,
      failures: 0,
      unfilled: 1,
      verdict: { reason: 'partPlaced', uid: order.uid },
      partUid: order.uid,
      judgedBlock: null,
      change: null,
    },
  ])
  const found = await find(hash)
  expect(found.status).toBe(200)
  expect(await found.json()).toMatchObject({
    ...{ hash, type: 'twap', state: 'open', next: { blockNumber: 8, time: '2027-01-15T08:00:00.000Z' } },
    evaluation: { blockNumber: 7, reason: 'partPlaced', orderUid: order.uid, message: null, slowed: false },
    progress: { parts: null, placed: 1, filled: 0, executedSellAmount: '0', averagePrice: null, marketPrice: null },
    parts: [
      {
        ...{ orderUid: order.uid, placedBlock: 7, filled: false, validTo: order.validTo },
        ...{ sellToken: order.sellToken, buyToken: order.buyToken, creationDate: expect.stringMatching(/Z$/) },
      },
    ],
  })
  expect((await find(`0x${'99'.repeat(32)}`)).status).toBe(404)
  expect(await (await list(`?orderUid=${order.uid}`)).json()).toMatchObject([{ hash, owner: chain.owner }])
  expect(await (await list(`?orderUid=${newOrder(2).uid}`)).json()).toEqual([])

  const { database } = testDatabase
  await database.update(orders).set({ executedSellAmount: 3_000n, executedBuyAmount: 2_000n })
  const progress = async () => ((await (await find(hash)).json()) as { progress: object }).progress
  expect(await progress()).toMatchObject({
    executedSellAmount: '3000',
    executedBuyAmount: '2000',
    averagePrice: '0.666667',
  })
  await database
    .insert(currentAuctions)
    .values({ chainId, id: 1, block: 1, prices: { [order.sellToken]: '300', [order.buyToken]: '400' } })
  expect(await progress()).toMatchObject({ marketPrice: '0.75' })
  const other = newOrder(2, { owner: chain.owner, sellToken: order.buyToken, buyToken: order.sellToken })
  await insertOrder(database, other, null, null, null, [
    insertPart(database, chainId, { owner: chain.owner, hash }, { uid: other.uid, placedBlock: 8 }),
  ])
  expect(await progress()).toMatchObject({ placed: 2, averagePrice: null, marketPrice: null })
})

test('an owner has 200 open orders with posted proofs, whose proofs may be posted again', async () => {
  const fill = (from: number, to: number) => {
    const salts = Array.from({ length: to - from }, (_, i) => toHex(from + i, { size: 32 }))
    const place = { proof: [], blockNumber: 1, logIndex: 0, transactionHash: null }
    const rows = salts.map((salt) => ({
      owner: chain.owner,
      hash: salt,
      handler,
      salt,
      staticInput: '0x' as Hex,
      ...place,
    }))
    return insertConditionalOrders(testDatabase.database, chainId, rows)
  }
  await fill(1_000, 1_198)
  expect((await post({ owner: chain.owner, proofs })).status).toBe(201)
  await fill(1_198, 1_199)
  const refused = await post({ owner: chain.owner, proofs })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ errorType: 'TooManyLimitOrders', data: { limit: 200, open: 199 } })
})
