import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { type MovingMarket, startMovingMarket } from '../helpers/chain/movingMarket.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { createClockLog } from '../helpers/hostile/createClockLog.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

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
/** for another auction on the same block, for an auction, and for a winner to send its settlement; ms */
const [pauseMs, auctionMs, sendMs] = [500, 4_000, 20_000]

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

let stack: Stack
let book: OrderBook
let trader: DevAccount
let market: MovingMarket
const clockLog = createClockLog()
const random = createRandom(seed)

beforeAll(async () => {
  // solvers look at the chain once for each block of the network, and blocks of this one take two seconds
  stack = await startTestStack({ networks: ['base'], log: clockLog.add })
  book = connectOrderBook(stack.info)
  trader = await createTrader(stack)
  market = await startMovingMarket(stack.chain, stack.info, createRandom(seed + 1))
  for (let i = 0; i < historyBlocks; i++) await market.mineEmpty()
})
afterAll(() => stack?.stop())

const readHead = async () => Number(await stack.chain.getBlockNumber())

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
 * Mines a block once the winners of the newest auction have sent their settlements. A busy machine slows down the chain instead
 * of the solvers; without a winner a block comes after some seconds.
 */
const mineNext = async () => {
  const head = await readHead()
  const start = Date.now()
  const isDue = async () => {
    const { block, at, winners } = clockLog.readAuction()
    if ((await stack.chain.getTxpoolStatus()).pending > 0) return Date.now() - at > pauseMs
    return Date.now() - start > (block >= head && winners > 0 ? sendMs : auctionMs)
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
