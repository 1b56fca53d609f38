import type { Address } from 'viem'
import type { AuctionPrices } from '#schema/queries/auctions/selectAuctionPrices.ts'

/** Price of a token in the newest auction; `price`: wei per 10¹⁸ atoms in decimal, null without one. */
export type PriceUpdate = { token: Address; price: string | null; auctionId: number; block: number }

export type PriceListener = {
  token: Address
  /** auction up to which its client has the price; undefined: it has none */
  auctionId: number | undefined
  /** false: its client has to read first, and gets the newest price then */
  isReady: () => boolean
  send: (update: PriceUpdate) => void
}

export type PriceReader = {
  add: (listener: PriceListener) => void
  remove: (listener: PriceListener) => void
  /** Sends changed prices. Rejects when the database fails. */
  read: () => Promise<void>
}

/**
 * Reads the prices of the newest auction of one network for all its listeners at once. A listener gets the price of its token
 * first and then when it differs from the one that it has. Without listeners nothing is read.
 * @param find the newest auction; `prices` are null when its id is `known`
 */
export const createPriceReader = (
  find: (known: number | undefined) => Promise<AuctionPrices | undefined>,
): PriceReader => {
  const listeners = new Map<PriceListener, { sent: string | null | undefined }>()
  let newest: { id: number; block: number; prices: Record<string, string> } | undefined

  const publish = (listener: PriceListener, last: { sent: string | null | undefined }): void => {
    if (!newest || !listener.isReady()) return
    const { id: auctionId, block, prices } = newest
    const price = prices[listener.token] ?? null
    // after a loss of this memory the price that its client has is known by its auction alone
    const isKnown = last.sent === undefined ? listener.auctionId === auctionId : last.sent === price
    last.sent = price
    listener.auctionId = auctionId
    if (!isKnown) listener.send({ token: listener.token, price, auctionId, block })
  }

  return {
    add: (listener) => {
      listeners.set(listener, { sent: undefined })
    },
    remove: (listener) => {
      listeners.delete(listener)
      if (listeners.size === 0) newest = undefined
    },
    read: async () => {
      if (listeners.size === 0) return
      const found = await find(newest?.id)
      if (found?.prices) newest = { ...found, prices: found.prices }
      for (const [listener, last] of listeners) publish(listener, last)
    },
  }
}
