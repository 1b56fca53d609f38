import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, maxUint256, toBytes, zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { solutions } from '#schema/tables/auctions/solutions.ts'
import { findFinality } from '#shared/chain/finality.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { SolveRequestBody, SolveResponseBody } from '#shared/solvers/driverApi.ts'
import { encodeSettlement, type SettlementTrade } from '#shared/solvers/encodeSettlement.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectDatabaseAgreesWithChain } from '../helpers/chain/expectDatabaseAgreesWithChain.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { startTestDriver, type TestDriver } from '../helpers/solvers/testDriver.ts'
import { patientAuctions, startTestStack } from '../helpers/stack/testStack.ts'

type AuctionOrder = SolveRequestBody['orders'][number]
type Proposal = { order: AuctionOrder; sell: bigint; buy: bigint }

const ether = 10n ** 18n
const accounts = { first: devAccounts[5].address, second: devAccounts[6].address }
const values: Record<Address, bigint> = {}

let stack: Stack
let trader: Trader
let drivers: TestDriver[]
/** proposals of each driver in the next auctions: its solutions, each a list of fills */
let plans: Record<'first' | 'second', (auction: SolveRequestBody) => Proposal[][]>
/** proposed solutions to be settled, by driver, auction and solution */
const proposed = new Map<string, Proposal[]>()
/** two tokens without a pool, known only to these drivers */
let tokens: [Address, Address]
let salt = 0

const startDriver = (name: 'first' | 'second') =>
  startTestDriver({
    name,
    address: accounts[name],
    values,
    execute: () => undefined,
    solve: (auction): SolveResponseBody => ({
      solutions: plans[name](auction).map((fills, solutionId) => {
        proposed.set(`${name}:${auction.id}:${solutionId}`, fills)
        return {
          solutionId,
          submissionAddress: accounts[name],
          score: '0',
          orders: Object.fromEntries(fills.map(toOrder)),
        }
      }),
    }),
    reveal: (request) => encodeProposal(name, request),
    settle: async (request) => {
      const data = encodeProposal(name, request)
      await sendFrom(stack.chain, accounts[name], { to: stack.info.contracts.settlement, data })
    },
  })

const encodeProposal = (name: string, { auctionId, solutionId }: { auctionId: string; solutionId: number }): Hex => {
  const fills = proposed.get(`${name}:${auctionId}:${solutionId}`) ?? []
  return encodeSettlement({
    auctionId: BigInt(auctionId),
    uniformPrices: toPrices(fills),
    trades: fills.map(toTrade),
    interactions: { pre: [], intra: [], post: [] },
  })
}

/** No order pays a fee. */
const toPrices = ([first]: Proposal[]): Map<Address, bigint> =>
  new Map(
    first
      ? [
          [first.order.sellToken as Address, first.buy],
          [first.order.buyToken as Address, first.sell],
        ]
      : [],
  )

const toOrder = ({ order, sell, buy }: Proposal) => {
  const { kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy } = order
  const executed = { executedSell: sell.toString(), executedBuy: buy.toString() }
  return [order.uid, { side, sellToken, buyToken, limitSell, limitBuy, ...executed }] as const
}

const toTrade = ({ order, sell, buy }: Proposal): SettlementTrade => ({
  order: {
    ...order,
    receiver: (order.receiver ?? zeroAddress) as Address,
    sellToken: order.sellToken as Address,
    buyToken: order.buyToken as Address,
    sellAmount: BigInt(order.sellAmount),
    buyAmount: BigInt(order.buyAmount),
    appDataHash: order.appData as Hex,
    feeAmount: 0n,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  },
  owner: order.owner as Address,
  scheme: 'eip712',
  signature: order.signature as Hex,
  executedSell: sell,
  executedBuy: buy,
})

beforeAll(async () => {
  plans = { first: () => [], second: () => [] }
  drivers = [await startDriver('first'), await startDriver('second')]
  stack = await startTestStack({
    extraSolvers: drivers.map(({ solver: { name, address, baseUrl } }) => ({ name, address, url: baseUrl })),
    vars: {
      auctions: { ...patientAuctions, SUBMISSION_DEADLINE_SECONDS: '600', ARCHIVE_AFTER_DAYS: '8' },
      debug: { HIDE_COMPETITION_BEFORE_DEADLINE: 'true' },
    },
  })
  trader = connectTrader(stack.info, privateKeyOf(0))
  const { abi, creationCode } = readCompiledContract('PermitToken')
  const deployed: Address[] = []
  for (let i = 0; i < 2; i++) {
    const hash = await stack.chain.deployContract({ account: accounts.first, abi, bytecode: creationCode, args: [] })
    const { contractAddress } = await waitForReceipt(stack.chain, hash)
    const token = contractAddress?.toLowerCase() as Address
    deployed.push(token)
    for (const holder of [ownerOf(0), ownerOf(1), stack.info.contracts.settlement]) {
      const mint = { abi, functionName: 'mint', args: [holder, 1_000n * ether] }
      await sendFrom(stack.chain, accounts.first, { to: token, data: encodeFunctionData(mint) })
    }
    const approve = {
      abi: erc20Abi,
      functionName: 'approve',
      args: [stack.info.contracts.vaultRelayer, maxUint256],
    } as const
    for (const holder of [ownerOf(0), ownerOf(1)]) {
      await sendFrom(stack.chain, holder, { to: token, data: encodeFunctionData(approve) })
    }
    values[token] = ether
  }
  tokens = deployed as [Address, Address]
  values[stack.info.contracts.wrappedNative] = ether
  await trader.approveRelayer(wethAndUsdc().sellToken.address)
})

afterAll(async () => {
  await Promise.all((drivers ?? []).map(({ stop }) => stop()))
  await stack?.stop()
})

beforeEach(() => {
  plans = { first: () => [], second: () => [] }
})

const privateKeyOf = (i: number): Hex => stack.info.accounts[i]?.privateKey as Hex
const ownerOf = (i: number): Address => stack.info.accounts[i]?.address.toLowerCase() as Address
const wethAndUsdc = () => {
  const { WETH: sellToken, USDC: buyToken } = stack.info.tokens
  if (!sellToken || !buyToken) throw new Error('tokens missing')
  return { sellToken, buyToken }
}

/** An order of the i-th account that sells one token for 1.2 of the other: no two of them match. */
const termsOf = (i: 0 | 1): SignableOrder => {
  salt += 1
  const [sellToken, buyToken] = i === 0 ? tokens : [tokens[1], tokens[0]]
  const validTo = Math.floor(Date.now() / 1000) + 3_600 + salt
  return { sellToken, buyToken, sellAmount: ether, buyAmount: (12n * ether) / 10n, validTo }
}
const post = (i: 0 | 1, terms: SignableOrder) => postSignedOrder(stack.info, privateKeyOf(i), terms)

/**
 * Gives orders of the auction `extra` atoms above their limits, as soon as all of `expected` are in. An order is found
 * by its end, which is known before it is posted: so both drivers have it in the same auction.
 */
const fills = (
  { orders }: SolveRequestBody,
  expected: SignableOrder[],
  wanted: [terms: SignableOrder, extra: bigint][],
): Proposal[] => {
  const find = ({ validTo }: SignableOrder) => orders.find((order) => order.validTo === validTo)
  if (!expected.every(find)) return []
  return wanted.flatMap(([terms, extra]) => {
    const order = find(terms)
    return order ? [{ order, sell: BigInt(order.sellAmount), buy: BigInt(order.buyAmount) + extra }] : []
  })
}
const unlessEmpty = (...solutions: Proposal[][]) => solutions.filter(({ length }) => length > 0)

const get = async (path: string) => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}${path}`)
  return { status: response.status, body: (await response.json()) as never }
}
type Competition = {
  auctionId: number
  auctionDeadlineBlock: number
  transactionHashes: string[]
  referenceScores: Record<string, string>
  solutions: {
    solverAddress: string
    score: string
    ranking: number
    isWinner: boolean
    filteredOut: boolean
    txHash: string | null
    referenceScore: string | null
    orders: { id: string; sellAmount: string; buyAmount: string }[]
  }[]
}
const competitionOf = async (uid: string): Promise<Competition> => {
  const [trade] = await trader.orderBook.getTrades({ orderUid: uid })
  const { status, body } = await get(`/restricted/api/v2/solver_competition/by_tx_hash/${trade?.txHash}`)
  expect(status).toBe(200)
  return body
}

test('two winners settle disjoint pairs of one auction, and the result is public after the deadline', async () => {
  const terms = [termsOf(0), termsOf(1)] as const
  plans = {
    first: (auction) => unlessEmpty(fills(auction, [...terms], [[terms[0], 300n]])),
    second: (auction) => unlessEmpty(fills(auction, [...terms], [[terms[1], 200n]])),
  }
  const uids = [await post(0, terms[0]), await post(1, terms[1])] as const
  for (const uid of uids) await waitForStatus(trader, uid, 'fulfilled', 90_000)
  const competition = await competitionOf(uids[0])
  expect(await competitionOf(uids[1])).toEqual(competition)
  const trades = await Promise.all(uids.map(async (uid) => (await trader.orderBook.getTrades({ orderUid: uid }))[0]))
  expect(new Set(competition.transactionHashes)).toEqual(new Set(trades.map((trade) => trade?.txHash)))
  const winners = competition.solutions.filter(({ isWinner }) => isWinner)
  expect(winners).toMatchObject([
    { solverAddress: accounts.second, score: '200', referenceScore: '300', txHash: trades[1]?.txHash },
    { solverAddress: accounts.first, score: '300', referenceScore: '200', txHash: trades[0]?.txHash },
  ])
  expect(competition.referenceScores).toEqual({ [accounts.first]: '200', [accounts.second]: '300' })
  for (const [i, winner] of [winners[1], winners[0]].entries()) {
    const { sellAmount, buyAmount } = trades[i] ?? {}
    expect(winner?.orders).toMatchObject([{ id: uids[i], sellAmount, buyAmount }])
  }

  const path = `/api/v2/solver_competition/${competition.auctionId}`
  while (Number(await stack.chain.getBlockNumber()) < competition.auctionDeadlineBlock - 1)
    await stack.chain.mine({ blocks: 1 })
  for (let tries = 0; (await get(path)).status === 404 && tries < 100; tries++) await sleep(200)
  expect((await get(path)).body).toEqual(await competitionOf(uids[0]))
})

test('a just-in-time order fills a user’s order and appears wherever orders do', async () => {
  const surplus = (18n * ether) / 10n
  // far from the uniform prices of the user's order, whose tokens it shares
  const jitAmounts = { sellAmount: 3n * ether, buyAmount: ether / 1_000n }
  const jit = await signOrder(stack.info, privateKeyOf(1), { ...termsOf(1), ...jitAmounts })
  const ofUser = termsOf(0)
  const terms = {
    ...jit,
    ...jitAmounts,
    feeAmount: 0n,
    appDataHash: keccak256(toBytes('{}')),
  }
  const domain = computeDomainSeparator(stack.info.chainId, stack.info.contracts.settlement)
  const balances = { sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' } as const
  const jitUid = packOrderUid(computeOrderDigest(domain, { ...terms, ...balances }), ownerOf(1), jit.validTo)
  plans.first = (auction) => {
    const [user] = fills(auction, [ofUser], [[ofUser, surplus]])
    if (!user) return []
    const order = { ...user.order, ...jit, appData: terms.appDataHash, uid: jitUid, owner: ownerOf(1) } as AuctionOrder
    return [[user, { order, sell: jitAmounts.sellAmount, buy: jitAmounts.buyAmount }]]
  }
  const uid = await post(0, ofUser)
  await waitForStatus(trader, uid, 'fulfilled', 90_000)

  const order = await trader.orderBook.getOrder(jitUid)
  const [trade] = await trader.orderBook.getTrades({ orderUid: jitUid })
  const { timestamp } = await stack.chain.getBlock({ blockNumber: BigInt(trade?.blockNumber ?? 0) })
  expect(order).toMatchObject({
    uid: jitUid,
    class: 'liquidity',
    status: 'fulfilled',
    isLiquidityOrder: true,
    signature: jit.signature,
    creationDate: new Date(Number(timestamp) * 1000).toISOString(),
    executedSellAmount: (3n * ether).toString(),
    executedBuyAmount: (ether / 1_000n).toString(),
    executedFee: '0',
  })
  const ofAccount = await trader.orderBook.getOrders({ owner: ownerOf(1), offset: 0, limit: 1 })
  expect(ofAccount.map((found) => found.uid)).toEqual([jitUid])
  expect(
    (await trader.orderBook.getOrders({ owner: ownerOf(1), offset: 1, limit: 100 })).map((found) => found.uid),
  ).not.toContain(jitUid)
  const inTransaction = await trader.orderBook.getTxOrders(trade?.txHash ?? '')
  expect(inTransaction.map((found) => found.uid).toSorted()).toEqual([uid, jitUid].toSorted())
  // its surplus belongs to its solver
  expect((await competitionOf(uid)).solutions.at(-1)).toMatchObject({
    score: surplus.toString(),
    isWinner: true,
  })
  const { events } = await findDebugReport(stack.info, jitUid)
  expect(events.map(({ label }) => label)).toEqual(['created', 'traded'])
})

test('database and chain agree', () => expectDatabaseAgreesWithChain(stack))

const isUnlisted = (report: unknown) =>
  (report as { listedAuctions: { isListed: boolean } | null }).listedAuctions?.isListed === false

test('an old competition moves to the archive, and is read from there', async () => {
  const terms = termsOf(0)
  const fill = (extra: bigint) => (auction: SolveRequestBody) => unlessEmpty(fills(auction, [terms], [[terms, extra]]))
  plans = { first: fill(300n), second: fill(200n) }
  const uid = await post(0, terms)
  await waitForStatus(trader, uid, 'fulfilled', 90_000)
  const { auctionId, auctionDeadlineBlock } = await competitionOf(uid)
  const read = () =>
    Promise.all([get(`/restricted/api/v2/solver_competition/${auctionId}`), get(`/api/v1/debug/order/${uid}`)])
  let before = await read()
  // the newest auction has the order until the next one is cut
  while (!isUnlisted(before[1]?.body)) {
    await sleep(100)
    before = await read()
  }
  expect(before[0]?.body).toMatchObject({
    solutions: [
      { solverAddress: accounts.second, isWinner: false },
      { solverAddress: accounts.first, outcome: 'success' },
    ],
  })

  const database = connectDatabase(stack.info.databaseUrl)
  await database.execute(sql`update ${auctions} set created_at = created_at - interval '10 days'`)
  // later blocks may be replaced
  const { finalBlocks } = findFinality(stack.info.chainId)
  await stack.chain.mine({
    blocks: auctionDeadlineBlock - Number(await stack.chain.getBlockNumber()) + finalBlocks + 2,
  })
  const isArchived = async () => {
    const [row] = await database.select().from(auctions).where(eq(auctions.id, auctionId))
    return row?.archiveKey != null
  }
  // runs that begin while another one works take its processor, and find nothing to move
  for (let polls = 0; !(await isArchived()); polls += 1) {
    if (polls % 10 === 0) stack.workers.runCrons()
    await sleep(250)
  }
  const left = await database.select().from(solutions).where(eq(solutions.auctionId, auctionId))
  expect(left).toMatchObject([{ solver: accounts.first, isWinner: true }])
  expect(await read()).toEqual(before)
  const { body } = await get('/api/v1/explorer/auctions')
  const listed = (body as { id: number }[]).find(({ id }) => id === auctionId)
  expect(listed).toMatchObject({ solutionCount: 2, winners: [{ solver: accounts.first, status: 'settled' }] })
})
