import type { Address, Hex } from 'viem'
import { storedBlocks } from '#schema/queries/chain/blocks.ts'
import { networks } from '#shared/networks.ts'
import { countOpen, runningAuction, tipOf } from '#tools/bench/history/countOpen.ts'
import {
  busyOwner,
  historyBuyToken,
  historySellToken,
  historyUidOf,
  numberedBytes,
} from '#tools/bench/history/historyColumns.ts'
import { subscribers } from '#tools/bench/history/insertHistory.ts'

/** What `insertHistory` writes for Sepolia, as arguments of queries. */
export type History = ReturnType<typeof describeHistory>

export const describeHistory = (orders: number) => {
  const tip = tipOf(orders)
  const openUid = (place = 0): Hex => historyUidOf(tip + 1 + place)
  const middle = Math.floor(orders / 2 / 10) * 10
  return {
    chainId: networks.sepolia.chainId,
    wrappedNative: networks.sepolia.wrappedNative,
    orders,
    /** owns every tenth order */
    busyOwner,
    /** has every fiftieth order placed on-chain */
    onchainUser: numberedBytes(0xe0, 20),
    solver: numberedBytes(80, 20),
    /** sold and bought by half of all orders */
    sellToken: historySellToken,
    buyToken: historyBuyToken,
    /** UID of an order, counted from 1: the oldest */
    uidOf: historyUidOf,
    openOrders: countOpen(orders),
    /** UID of an open order, counted from 0 */
    openUid,
    /** open orders as members of an auction */
    listed: (from: number, count: number) =>
      Array.from({ length: count }, (_, place) => ({ uid: openUid(from + place), body: '{}' })),
    /** a filled order between old and new ones: its number, block and quote */
    middle,
    uid: historyUidOf(middle),
    auctionId: middle / 10,
    /** its auction is archived */
    archivedUid: historyUidOf(middle - 100),
    /** the newest block with a trade */
    tip,
    /** the first block that each update of the chain looks at */
    lookFrom: tip - storedBlocks + 1,
    /** the newest auction with an attempt, which still runs */
    runningAuction: runningAuction(orders),
    newestUnconfirmed: Math.floor(subscribers(orders) / 20) * 20,
    /** the id of a pending delivery: four of five orders have a notification, every tenth of these a delivery */
    pendingDelivery: Math.floor((tip * 4) / 50),
    /** rows of a number of days, `perOrder` of each order */
    rowsOfDays: (days: number, perOrder: number): number => (orders / 300) * days * perOrder,
  }
}

/** Seconds, Unix. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000)
export const dayMs = 86_400_000
export const subscriptionOf = (number: number): string => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`
/** Account of a subscription of the history. */
export const subscriberOf = (number: number): Address => numberedBytes((number % 20_011) + 65_536, 20)
/** A fresh signature of an account. */
export const nonceOf = (account: Address) => ({
  account,
  signerChainId: 0,
  nonce: numberedBytes(7, 32),
  deadline: new Date(Date.now() + dayMs),
})
