import { setTimeout as sleep } from 'node:timers/promises'
import { parseUnits } from 'viem'
import { type SignableOrder, signOrder } from '../orders/signOrder.ts'
import type { Arena, OrderBody } from './arena.ts'
import type { Dice } from './createDice.ts'

/** An order of the honest trader as the order book accepted it. */
export type HonestOrder = { uid: string; terms: SignableOrder; acceptedAt: number }

export type HonestTrader = {
  orders: HonestOrder[]
  /** what the order book refused for good, or did not accept in time */
  refused: string[]
  /** orders given up because no quote came in time */
  unquoted: string[]
  /** quotes and posts one order */
  trade: () => Promise<void>
}

const patienceMs = 20_000
/** what the price may move while the order waits, of 10,000 */
const slippageBps = 200n

const pairs = [
  ['WETH', 'USDC'],
  ['USDC', 'WETH'],
  ['USDC', 'DAI'],
  ['DAI', 'USDC'],
  ['WETH', 'COW'],
  ['COW', 'WETH'],
  ['USDC', 'COW'],
] as const

/** Whole tokens worth between about 15 and 300 dollars. */
const sizes = { WETH: ['0.005', '0.1'], USDC: ['15', '300'], DAI: ['15', '300'], COW: ['50', '1000'] } as const

type QuoteBody = { id: number; quote: Record<'sellAmount' | 'buyAmount' | 'feeAmount', string> }

/** Trades at market prices with 2 % of slippage: sell and buy orders, a third of them partially fillable. */
export const createHonestTrader = (arena: Arena, dice: Dice): HonestTrader => {
  const { info } = arena.stack
  const { address: from, privateKey } = arena.honest
  const [orders, refused, unquoted]: [HonestOrder[], string[], string[]] = [[], [], []]

  const pickAmount = (symbol: keyof typeof sizes): bigint => {
    const decimals = info.tokens[symbol]?.decimals ?? 18
    const [least, most] = sizes[symbol].map((size) => parseUnits(size, decimals)) as [bigint, bigint]
    return least + ((most - least) * BigInt(dice.between(0, 10 ** 6))) / 10n ** 6n
  }

  const findTerms = async (): Promise<{ terms: SignableOrder; quoteId: number } | undefined> => {
    const [sell, buy] = dice.pick(pairs)
    const kind = dice.pick(['sell', 'buy'] as const)
    const partiallyFillable = dice.chance(1 / 3)
    const pair = { sellToken: arena.token(sell), buyToken: arena.token(buy) }
    const amount = kind === 'sell' ? pickAmount(sell) : pickAmount(buy)
    const exact = kind === 'sell' ? { sellAmountBeforeFee: `${amount}` } : { buyAmountAfterFee: `${amount}` }
    const request = { ...pair, ...exact, kind, from, partiallyFillable }
    const quoted = await persist(
      () => arena.request('POST', 'quote', request),
      ({ status }) => status === 200,
    )
    if (quoted.status !== 200) {
      unquoted.push(`${sell}→${buy}: ${quoted.status} ${JSON.stringify(quoted.body)}`)
      return undefined
    }
    const { id, quote } = quoted.body as QuoteBody
    const sold = BigInt(quote.sellAmount) + BigInt(quote.feeAmount)
    const bought = BigInt(quote.buyAmount)
    const validTo = Math.floor(Date.now() / 1_000) + 3_600
    const limits =
      kind === 'sell'
        ? { sellAmount: amount, buyAmount: bought - (bought * slippageBps) / 10_000n }
        : { sellAmount: sold + (sold * slippageBps) / 10_000n, buyAmount: amount }
    return { terms: { ...pair, ...limits, kind, partiallyFillable, validTo }, quoteId: id }
  }

  return {
    orders,
    refused,
    unquoted,
    trade: async () => {
      const found = await findTerms()
      if (!found) return
      const { terms, quoteId } = found
      const body: OrderBody = { ...(await signOrder(info, privateKey, terms)), quoteId }
      for (const interfere of arena.beforePost) await interfere(body)
      const posted = await persist(
        () => arena.request('POST', 'orders', body),
        ({ status }) => status < 500 && status !== 429,
      )
      if (posted.status !== 201) {
        refused.push(`${posted.status} ${JSON.stringify(posted.body)}`)
        return
      }
      orders.push({ uid: posted.body as string, terms, acceptedAt: await arena.findHead() })
    },
  }
}

/** Repeats a request until it succeeds, as a client of a busy service does. */
const persist = async <T extends { status: number }>(request: () => Promise<T>, isWell: (response: T) => boolean) => {
  for (const deadline = Date.now() + patienceMs; ; await sleep(500)) {
    const response = await request()
    if (isWell(response) || Date.now() > deadline) return response
  }
}
