import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Address, type Hex, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase, type Database } from '#schema/client.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { isOpenOfOwner, orders } from '#schema/tables/orders/orders.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { computeQuantile } from '#tools/bench/market/computeQuantile.ts'
import { createOrderPlacer, type Sale } from '#tools/bench/market/createOrderPlacer.ts'
import { tenPairs, toSale } from '#tools/bench/market/marketScenarios.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import type { Competitor } from '#tools/stack/chain/harsh/harshOptions.ts'
import { type HarshChain, startHarshChain } from '#tools/stack/chain/harsh/startHarshChain.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { type MovingMarket, startMovingMarket } from '../helpers/chain/movingMarket.ts'
import { deployOddToken, type OddToken } from '../helpers/chain/oddContracts.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { createClockLog, fruitlessTicks } from '../helpers/hostile/createClockLog.ts'
import { createDice } from '../helpers/hostile/createDice.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { theoremCauses } from '../helpers/orders/drawTheoremCase.ts'
import { createTheoremPlacer, type TheoremOrder } from '../helpers/orders/placeTheoremOrder.ts'
import { waitUntilPriced } from '../helpers/orders/waitUntilPriced.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { connectAgent } from '../helpers/stack/connectAgent.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { patientQuotes, startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let book: OrderBook
let database: Database
let trader: DevAccount
const clockLog = createClockLog()

beforeAll(async () => {
  // solvers look at the chain once for each block of the network, and blocks of this one take two seconds
  stack = await startTestStack({
    networks: ['base'],
    blockTime: 3_600,
    log: clockLog.add,
    vars: { quotes: patientQuotes },
  })
  book = connectOrderBook(stack.info)
  database = connectDatabase(stack.info.databaseUrl)
  trader = await createTrader(stack)
})
afterAll(() => stack?.stop())

const readHead = async () => Number(await stack.chain.getBlockNumber())

/** for a winner to send its settlement */
const sendMs = 30_000

const countRunning = () => database.$count(settlementAttempts, isNull(settlementAttempts.outcome))

/** Waits until the auction of the head is decided and its winners, or one of them, have sent their settlements or failed. */
const awaitSolvers = async (which: 'one' | 'all' = 'one') => {
  const [head, start, firstTick] = [await readHead(), Date.now(), clockLog.countTicks()]
  for (;;) {
    const { block } = clockLog.readAuction()
    const [{ pending }, running] = await Promise.all([stack.chain.getTxpoolStatus(), countRunning()])
    const isSent = which === 'all' ? pending >= running : pending > 0 || running === 0
    const isDue = isSent || Date.now() - start > sendMs
    if (block >= head ? isDue : clockLog.countTicks() - firstTick > fruitlessTicks) return
    await sleep(100)
  }
}

// first, because orders of one percent of slack need pools that agree on prices
describe('competing traders', () => {
  /** Orders of a scenario; `LONG=1`: the full run, `HARSH_SEED` for other trades of the competitors. */
  const count = process.env.LONG ? 20 : 4
  const burst = process.env.LONG ? 100 : 10
  const seed = Number(process.env.HARSH_SEED ?? 1)
  /** blocks in which all orders of a scenario should fill */
  const maxBlocks = process.env.LONG ? 40 : 12
  /** share of settlements that may fail */
  const maxFailed = 0.05
  /** `blocks` of each filled order: from the first placement to its trade */
  type Outcome = { filled: number; blocks: number[]; failed: number; attempts: number }

  /** Places `perBlock` sales after each block of a chain with these competitors, and mines until all have filled. */
  const trade = async (
    competitors: readonly Competitor[],
    sales: readonly Sale[],
    perBlock: number,
  ): Promise<{ outcome: Outcome; harsh: HarshChain }> => {
    const place = createOrderPlacer(stack.info, trader)
    await stack.chain.setAutomine(true)
    await database.update(orders).set({ cancelledAt: sql`now()` }).where(isOpenOfOwner(orders))
    const harsh = await startHarshChain(stack.chain, stack.info, { seed, competitors, swingsBaseFee: true })
    for (let i = 0; i < 3; i++) await harsh.mine()
    const [{ last } = { last: 0 }] = await database
      .select({ last: sql<number>`coalesce(max(${settlementAttempts.auctionId}), 0)::int` })
      .from(settlementAttempts)
    const uids: Hex[] = []
    const first = await readHead()
    let filled = 0
    while (filled < sales.length && (await readHead()) - first < maxBlocks) {
      const placed = await Promise.all(sales.slice(uids.length, uids.length + perBlock).map(place))
      uids.push(...placed.map(({ uid }) => uid))
      await awaitSolvers()
      await harsh.mine()
      const statuses = await Promise.all(uids.map((uid) => book.get<{ status: string }>(`/orders/${uid}`)))
      filled = statuses.filter(({ status }) => status === 'fulfilled').length
    }
    const traded = await database.select().from(trades).where(inArray(trades.orderUid, uids))
    const blocks = traded.map(({ blockNumber }) => blockNumber - first)
    const ended = and(gt(settlementAttempts.auctionId, last), isNotNull(settlementAttempts.outcome))
    const attempts = await database.$count(settlementAttempts, ended)
    const succeeded = await database.$count(settlementAttempts, and(ended, eq(settlementAttempts.outcome, 'success')))
    const outcome = { filled, blocks, failed: attempts - succeeded, attempts }
    console.log(JSON.stringify({ competitors, ...outcome }))
    return { outcome, harsh }
  }

  /** Both sell the first token of each pool ahead of the settlements, as the orders of the series do. */
  const small: Competitor[] = [{ dollars: 3, everyBlocks: [1, 1], tipGwei: 3, isOneSided: true }]
  const large: Competitor[] = [{ dollars: 30, everyBlocks: [2, 3], tipGwei: 3, isOneSided: true }]

  test('beside a swap of $3 with a higher tip in each block all orders with a slack of one percent fill, and few settlements fail', {
    timeout: count * 60_000,
  }, async () => {
    const sales = Array.from({ length: count }, (_, i) => toSale(stack.info, ['WETH', 'USDC'], i))
    const { outcome, harsh } = await trade(small, sales, 1)
    expect(outcome.filled).toBe(count)
    expect(outcome.failed).toBeLessThanOrEqual(maxFailed * outcome.attempts)
    expect(await harsh.findSwapSuccess()).toBeGreaterThan(0.9)
  })

  test(`${burst} orders over ten pairs fill within four blocks at the median and eight at most, beside both traders`, {
    timeout: burst * 10_000,
  }, async () => {
    const sales = Array.from({ length: burst }, (_, i) => toSale(stack.info, tenPairs[i % 10] ?? tenPairs[0], i))
    const { outcome } = await trade([...small, ...large], sales, burst)
    expect(outcome.filled).toBe(burst)
    expect(computeQuantile(outcome.blocks, 0.5)).toBeLessThanOrEqual(4)
    expect(computeQuantile(outcome.blocks, 0.99)).toBeLessThanOrEqual(8)
    expect(outcome.failed).toBeLessThanOrEqual(maxFailed * outcome.attempts)
  })

  test('an agent that knows only the base URL quotes, explains, builds and follows an order to its fill', async () => {
    const network = stack.info.network
    const agent = await connectAgent(stack.info.baseUrl, network)
    const { harsh } = await trade([...small, ...large], [], 0)
    const [sellToken, buyToken] = [findToken(stack.info, 'WETH').address, findToken(stack.info, 'USDC').address]
    const receiver = stack.info.accounts[1]?.address.toLowerCase()
    const amount = { kind: 'sell', sellAmountBeforeFee: parseUnits('0.01', 18).toString() }
    const body = { sellToken, buyToken, from: trader.address.toLowerCase(), receiver, ...amount }
    expect(await agent.call('quote', { network, body })).toMatchObject({ verified: true })
    const uid = await agent.open(trader.privateKey, body)
    expect(await agent.call('explain_order', { network, uid })).toMatchObject({ orderUid: uid })
    let isFilled = false
    void agent.follow(uid).then(() => {
      isFilled = true
    })
    const first = await readHead()
    while (!isFilled && (await readHead()) - first < maxBlocks) {
      await awaitSolvers()
      await harsh.mine()
    }
    await waitUntil('the agent sees the fill', async () => isFilled, { timeoutMs: patienceMs })
    expect(await agent.call('explain_order', { network, uid })).toMatchObject({ diagnosis: { code: 'fulfilled' } })
    const { receipt } = (await agent.call('receipt', { network, uid })) as { receipt: object }
    expect(receipt).toMatchObject({ receiver, fills: [{}] })
    await agent.close()
  })
})

describe('the theorem of the simulated market', () => {
  /** Orders with a token for each; `LONG=1`: more of them, `THEOREM_SEED` for others. */
  const count = 14
  const rounds = process.env.LONG ? 5 : 1
  const seed = Number(process.env.THEOREM_SEED ?? 1)
  /** blocks in which a fillable order is filled */
  const maxBlocks = 5
  const competitors: Competitor[] = [
    { dollars: 3, everyBlocks: [1, 1], tipGwei: 3 },
    { dollars: 30, everyBlocks: [2, 3], tipGwei: 2 },
  ]

  test(`of ${count * rounds} random orders those fill within ${maxBlocks} blocks that the dry run calls fillable, and each other one has a reason`, {
    timeout: rounds * 600_000,
  }, async () => {
    const dice = createDice(seed, 'theorem')
    for (let round = 0; round < rounds; round++) {
      await stack.chain.setAutomine(true)
      const tokens: OddToken[] = []
      for (let i = 0; i < count; i++) tokens.push(await deployOddToken(stack.chain, { network: networks.base }))
      await waitUntilPriced(
        stack,
        trader,
        tokens.map(({ address }) => address),
      )
      await database.update(orders).set({ cancelledAt: sql`now()` }).where(isOpenOfOwner(orders))
      const prepare = createTheoremPlacer(stack, dice)
      const ready: (() => Promise<TheoremOrder>)[] = []
      for (const token of tokens) ready.push(await prepare(token))
      const harsh = await startHarshChain(stack.chain, stack.info, {
        ...{ seed: seed + round, competitors, swingsBaseFee: true },
      })
      await harsh.mine()
      const placed: TheoremOrder[] = []
      for (const place of ready) placed.push(await place())
      const uids = placed.flatMap(({ uid }) => uid ?? [])
      for (let block = 0; block < maxBlocks; block++) {
        await awaitSolvers('all')
        await harsh.mine()
      }
      const filled = await awaitFills(uids)
      const judged = placed.map((order) => ({ ...order, isFilled: order.uid !== undefined && filled.has(order.uid) }))
      console.log(
        judged.map((each) => `${each.described}: ${each.isFilled ? 'filled' : each.reasons.join()}`).join('\n'),
      )
      expect(judged.filter(({ fillable, isFilled }) => fillable !== isFilled)).toEqual([])
      const refused = judged.filter(({ fillable }) => !fillable)
      expect(refused.filter(({ reasons }) => reasons.length === 0 || reasons.includes('unknown'))).toEqual([])
      const isUnexplained = ({ fault, reasons }: TheoremOrder) =>
        theoremCauses[fault]?.some((cause) => reasons.includes(cause)) === false
      expect(judged.filter(isUnexplained)).toEqual([])
      expect(judged.some(({ fillable }) => fillable) && refused.length > 0).toBe(true)
    }
  })

  /** Orders with trades, once the index has the head. */
  const awaitFills = async (uids: readonly Hex[]): Promise<ReadonlySet<Hex>> => {
    const head = await readHead()
    const hasHead = async () => (await database.$count(blocks, gte(blocks.number, head))) > 0
    await waitUntil('the head in the index', hasHead, { timeoutMs: patienceMs })
    const traded = await database
      .select({ uid: trades.orderUid })
      .from(trades)
      .where(inArray(trades.orderUid, [...uids]))
    return new Set(traded.map(({ uid }) => uid))
  }
})

describe('a market that moves', () => {
  /** `LONG=1`: the full run; `SLIPPAGE_SEED` for other amounts and moves, `SLIPPAGE_COUNT` for more orders. */
  const count = Number(process.env.SLIPPAGE_COUNT ?? (process.env.LONG ? 200 : 20))
  const seed = Number(process.env.SLIPPAGE_SEED ?? 15)
  /** orders quoted on the same block */
  const waveSize = process.env.LONG ? 2 : 3
  /** an order fills within this many blocks after its acceptance */
  const maxBlocks = 10
  /** in at least this share of cases */
  const leastFilled = Math.ceil(count * 0.99)
  /** base fees that the quotes look back on */
  const historyBlocks = 40
  /** for another auction on the same block, and for a winner to send its settlement; ms */
  const [pauseMs, sendMs] = [500, 30_000]

  /** US dollars for one whole token of the local pools, about: only the sizes of orders depend on them. */
  const worth = { WETH: 3_000, USDC: 1, DAI: 1, COW: 0.3 } as const
  type TokenSymbol = keyof typeof worth
  const pairs: [TokenSymbol, TokenSymbol][] = [
    ['WETH', 'USDC'],
    ['USDC', 'WETH'],
    ['WETH', 'COW'],
    ['COW', 'WETH'],
    ['USDC', 'DAI'],
    ['DAI', 'WETH'],
    ['COW', 'USDC'],
  ]

  type Quote = {
    id: number
    slippageBps: number
    amounts: Record<'afterPartnerFee' | 'afterSlippage', Record<'sellAmount' | 'buyAmount', string>>
    signable: { order: object; typedData: Parameters<ReturnType<typeof privateKeyToAccount>['signTypedData']>[0] }
  }
  type Drawn = { kind: 'sell' | 'buy'; label: string; dollars: number; quote: Quote; body: object }
  type Placed = Drawn & {
    uid: string
    block: number
    /** blocks until it filled */
    filledAfter?: number
    /** of the side that is not exact, basis points: better than the limit, better than the quote */
    gains?: [number, number]
  }

  let market: MovingMarket
  const random = createRandom(seed)

  beforeAll(async () => {
    market = await startMovingMarket(stack.chain, stack.info, createRandom(seed + 1))
    for (let i = 0; i < historyBlocks; i++) await market.mineEmpty()
  })

  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

  /** The request of an order worth 2 to 2,000 dollars, as many below 63 as above. */
  const drawRequest = () => {
    const [sell, buy] = pick(pairs)
    const kind = random() < 0.7 ? ('sell' as const) : ('buy' as const)
    const dollars = 2 * 1_000 ** random()
    const exact = kind === 'sell' ? sell : buy
    const decimals = stack.info.tokens[exact]?.decimals ?? 18
    const amount = parseUnits((dollars / worth[exact]).toFixed(6), decimals).toString()
    const size = kind === 'sell' ? { sellAmountBeforeFee: amount } : { buyAmountAfterFee: amount }
    const addressOf = (symbol: string) => stack.info.tokens[symbol]?.address as Address
    const tokens = { sellToken: addressOf(sell), buyToken: addressOf(buy) }
    return { kind, dollars, label: `${kind} ${sell}-${buy}`, request: { ...tokens, kind, ...size } }
  }

  /** Signs a quote unchanged. */
  const drawOrder = async (): Promise<Drawn> => {
    const { request, ...drawn } = drawRequest()
    const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/quote`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...request, from: trader.address, slippageBps: 'auto' }),
    })
    const quote = (await response.json()) as Quote & { errorType?: string }
    // two dollars do not pay for the gas when it is expensive
    if (quote.errorType === 'SellAmountDoesNotCoverFee') return drawOrder()
    expect(response.status, JSON.stringify(quote)).toBe(200)
    const { order, typedData } = quote.signable
    const signature = await privateKeyToAccount(trader.privateKey).signTypedData(typedData)
    const signed = { from: trader.address, quoteId: quote.id, signingScheme: 'eip712', signature }
    return { ...drawn, quote, body: { ...order, ...signed } }
  }

  /**
   * Mines a block once the winners of the newest auction have sent their settlements. A busy machine slows down the
   * chain instead of the solvers; without a winner a block comes after some ticks.
   */
  const mineNext = async () => {
    const head = await readHead()
    const [start, firstTick] = [Date.now(), clockLog.countTicks()]
    const isDue = async () => {
      const { block, at, winners } = clockLog.readAuction()
      if ((await stack.chain.getTxpoolStatus()).pending > 0) return Date.now() - at > pauseMs
      const isWon = block >= head && winners > 0
      return isWon ? Date.now() - start > sendMs : clockLog.countTicks() - firstTick > fruitlessTicks
    }
    while (!(await isDue())) await sleep(100)
    await market.mine()
  }

  /** Quotes some orders, lets the market move for a user's signing time, posts them, and waits for their fills. */
  const tradeWave = async (size: number): Promise<Placed[]> => {
    const drawn: Drawn[] = []
    for (let i = 0; i < size; i++) drawn.push(await drawOrder())
    await market.mine()
    const placed: Placed[] = []
    for (const order of drawn) placed.push({ ...order, block: await readHead(), uid: await book.post(order.body) })
    for (let i = 0; i < maxBlocks && placed.some(({ filledAfter }) => filledAfter === undefined); i++) {
      await mineNext()
      for (const order of placed) if (order.filledAfter === undefined) await readFill(order)
    }
    return placed
  }

  type Trade = { blockNumber: number; sellAmount: string; buyAmount: string }

  const readFill = async (order: Placed) => {
    const [trade] = await book.get<Trade[]>(`/trades?orderUid=${order.uid}`)
    if (!trade) return
    const side = order.kind === 'sell' ? 'buyAmount' : 'sellAmount'
    const sign = order.kind === 'sell' ? 1 : -1
    const { afterSlippage, afterPartnerFee } = order.quote.amounts
    const toGain = (amounts: Record<typeof side, string>) =>
      sign * (Number(trade[side]) / Number(amounts[side]) - 1) * 10_000
    order.filledAfter = trade.blockNumber - order.block
    order.gains = [toGain(afterSlippage), toGain(afterPartnerFee)]
  }

  const toQuantiles = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return [0, 0.05, 0.5, 0.95, 1].map((q) => Math.round(sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN))
  }

  test(`${leastFilled} of ${count} market orders of 2 to 2,000 dollars fill within ${maxBlocks} blocks at the suggested slippage`, {
    timeout: count * 30_000,
  }, async () => {
    const placed: Placed[] = []
    while (placed.length < count) placed.push(...(await tradeWave(Math.min(waveSize, count - placed.length))))
    const filled = placed.filter(({ filledAfter }) => filledAfter !== undefined)
    const print = (what: string, values: number[]) => console.log(`${what}: ${toQuantiles(values).join(' ')}`)
    console.log(`filled: ${filled.length} of ${count}; each line: least, 5 %, median, 95 %, most`)
    print(
      'blocks',
      filled.map(({ filledAfter = 0 }) => filledAfter),
    )
    print(
      'suggested slippage, bps',
      placed.map(({ quote }) => quote.slippageBps),
    )
    print(
      'surplus over the limit, bps',
      filled.map(({ gains }) => gains?.[0] ?? 0),
    )
    print(
      'gain over the quote, bps',
      filled.map(({ gains }) => gains?.[1] ?? 0),
    )
    for (const { label, dollars, quote, uid, filledAfter } of placed) {
      if (filledAfter !== undefined && filledAfter <= 5) continue
      const { diagnosis } = await book.get<{ diagnosis: { message: string } }>(`/debug/order/${uid}`)
      console.log(
        `${label}, ${dollars.toFixed(2)} dollars, ${quote.slippageBps} bps: ${filledAfter} ${diagnosis.message}`,
      )
    }
    expect(filled.length).toBeGreaterThanOrEqual(leastFilled)
    // the market moved
    expect(await market.findSuccess()).toBeGreaterThan(0.9)
  })
})
