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

/** Quotes, signs and posts a swap with the SDK; resolves with the order UID. */
export const postSwap = async (trader: Trader, swap: DemoSwap): Promise<string> => {
  const { orderId } = await trader.sdk.postSwapOrder({
    kind: swap.kind === 'sell' ? OrderKind.SELL : OrderKind.BUY,
    sellToken: swap.sellToken.address,
    sellTokenDecimals: swap.sellToken.decimals,
    buyToken: swap.buyToken.address,
    buyTokenDecimals: swap.buyToken.decimals,
    amount: swap.amount.toString(),
  })
  return orderId
}

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
