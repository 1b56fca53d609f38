import { setTimeout as sleep } from 'node:timers/promises'
import { OrderKind } from '@cowprotocol/cow-sdk'
import type { Address } from 'viem'
import type { Trader } from './connectTrader.ts'

export type Token = { address: Address; decimals: number }

export type DemoSwap = {
  kind: 'sell' | 'buy'
  sellToken: Token
  buyToken: Token
  /** atoms: exact sell amount (`sell`) or exact buy amount (`buy`) */
  amount: bigint
}

/** Amounts of a quote after all fees and before slippage, atoms. */
export type QuotedSwap = { sellAmount: bigint; buyAmount: bigint }

/** Quotes, signs and posts a swap with the SDK; resolves with the order UID and what was quoted. */
export const quoteAndPostSwap = async (
  trader: Trader,
  swap: DemoSwap,
): Promise<{ uid: string; quoted: QuotedSwap }> => {
  const { quoteResults, postSwapOrderFromQuote } = await trader.sdk.getQuote({
    kind: swap.kind === 'sell' ? OrderKind.SELL : OrderKind.BUY,
    sellToken: swap.sellToken.address,
    sellTokenDecimals: swap.sellToken.decimals,
    buyToken: swap.buyToken.address,
    buyTokenDecimals: swap.buyToken.decimals,
    amount: swap.amount.toString(),
    settlementContractOverride: trader.settlementContractOverride,
  })
  const { orderId: uid } = await postSwapOrderFromQuote()
  return { uid, quoted: quoteResults.amountsAndCosts.afterPartnerFees }
}

/** The same; resolves with the order UID. */
export const postSwap = async (trader: Trader, swap: DemoSwap): Promise<string> =>
  (await quoteAndPostSwap(trader, swap)).uid

/**
 * Waits until the order has the status.
 * @throws Error with the last status after `timeoutMs`
 */
export const waitForStatus = async (
  trader: Trader,
  uid: string,
  status: string,
  timeoutMs = 180_000,
): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const order = await trader.orderBook.getOrder(uid)
    if (order.status === status) return
    if (Date.now() > deadline) {
      throw new Error(`order ${uid} is ${order.status} after ${timeoutMs / 1000} s, not ${status}`)
    }
    await sleep(250)
  }
}
