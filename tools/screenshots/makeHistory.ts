import { setTimeout as sleep } from 'node:timers/promises'
import { OrderKind } from '@cowprotocol/cow-sdk'
import { type Hex, parseUnits } from 'viem'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, type Token, waitForStatus } from '#tools/demo/swap.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { waitUntil } from '../stack/processes/waitUntil.ts'

const trades = [
  { kind: 'sell', sell: 'WETH', buy: 'USDC', amount: '0.5' },
  { kind: 'buy', sell: 'USDC', buy: 'DAI', amount: '250' },
  { kind: 'sell', sell: 'COW', buy: 'DAI', amount: '12000' },
  { kind: 'sell', sell: 'USDC', buy: 'WETH', amount: '1800' },
  { kind: 'buy', sell: 'DAI', buy: 'WETH', amount: '0.25' },
  { kind: 'sell', sell: 'WETH', buy: 'DAI', amount: '2.4' },
] as const

/** Orders of the pictures, by UID, and the trade of the first. */
export type TradedHistory = {
  /** filled in full */
  order: string
  cancelled: string
  partlyFilled: string
  auctionId: number
  txHash: string
}

/** Seconds: slightly above the order book's minimum validity. */
const shortLife = 65

/**
 * Creates orders of the stack's first account: filled orders of both kinds, one filled in part, one cancelled, one
 * expired and one open.
 */
export const makeHistory = async (stack: StackInfo): Promise<TradedHistory> => {
  const trader = connectTrader(stack, stack.accounts[0]?.privateKey as Hex)
  for (const { address } of Object.values(stack.tokens)) await trader.approveRelayer(address)
  const token = (symbol: string): Token => {
    const found = stack.tokens[symbol]
    if (!found) throw new Error(`the stack has no token ${symbol}`)
    return found
  }
  const [WETH, USDC, COW] = [token('WETH'), token('USDC'), token('COW')]
  // far from the market: stays unfilled
  const dear = { sellToken: WETH, buyToken: USDC, sell: '1', buy: '4200' }
  const expiring = await postLimit(trader, { ...dear, validFor: shortLife })
  const expiresAt = Date.now() + shortLife * 1_000
  const cancelled = await postLimit(trader, { ...dear, buy: '4100', validFor: 3_600 })
  await trader.sdk.offChainCancelOrder({ orderUid: cancelled })

  const uids: string[] = []
  for (const { kind, sell, buy, amount } of trades) {
    const [sellToken, buyToken] = [token(sell), token(buy)]
    const decimals = (kind === 'sell' ? sellToken : buyToken).decimals
    const uid = await postSwap(trader, { kind, sellToken, buyToken, amount: parseUnits(amount, decimals) })
    await waitForStatus(trader, uid, 'fulfilled')
    uids.push(uid)
  }
  // more than the pools give at this price
  const large = { sellToken: COW, buyToken: WETH, sell: '800000', buy: '78.8', partiallyFillable: true }
  const partlyFilled = await postLimit(trader, { ...large, validFor: 3_600 })
  await waitForPart(trader, partlyFilled)
  await sleep(Math.max(0, expiresAt - Date.now()))
  await waitForStatus(trader, expiring, 'expired')
  // one stays open, so that auctions continue
  await postLimit(trader, { ...dear, validFor: 3_600 })
  const [order = ''] = uids
  return { order, cancelled, partlyFilled, ...(await findTrade(stack, order)) }
}

const findTrade = async (
  { baseUrl, network }: StackInfo,
  uid: string,
): Promise<Pick<TradedHistory, 'auctionId' | 'txHash'>> => {
  const response = await fetch(`${baseUrl}/${network}/api/v1/debug/order/${uid}`)
  const { trades } = (await response.json()) as { trades: { auctionId: number; txHash: string }[] }
  const [trade] = trades
  if (!trade) throw new Error(`order ${uid} has no trade`)
  return { auctionId: trade.auctionId, txHash: trade.txHash }
}

type Limit = {
  sellToken: Token
  buyToken: Token
  /** whole tokens */
  sell: string
  buy: string
  /** seconds */
  validFor: number
  partiallyFillable?: boolean
}

const postLimit = async (trader: Trader, { sellToken, buyToken, sell, buy, ...terms }: Limit): Promise<string> => {
  const { orderId } = await trader.sdk.postLimitOrder({
    kind: OrderKind.SELL,
    sellToken: sellToken.address,
    sellTokenDecimals: sellToken.decimals,
    buyToken: buyToken.address,
    buyTokenDecimals: buyToken.decimals,
    sellAmount: parseUnits(sell, sellToken.decimals).toString(),
    buyAmount: parseUnits(buy, buyToken.decimals).toString(),
    ...terms,
  })
  return orderId
}

const waitForPart = (trader: Trader, uid: string): Promise<void> =>
  waitUntil(
    `a part of order ${uid} is filled`,
    async () => BigInt((await trader.orderBook.getOrder(uid)).executedSellAmount) > 0n,
    { timeoutMs: 60_000, intervalMs: 250 },
  )
