import type { Address } from 'viem'
import { networks } from '#shared/networks.ts'
import type { LoadPlan } from '../load/startLoadGenerator.ts'
import type { Book } from '../platform/seedBook.ts'
import type { Platform } from '../platform/startPlatform.ts'

/** One kind of request, and its share of all requests. */
export type SoakKind = { name: string; share: number; requests: LoadPlan['requests'] }

const { name: network, chainId } = networks.sepolia
const api = `/${network}/api/v1`

/** What clients ask for, most of all about orders that they have. The shares add up to one. */
export const buildSoakKinds = (book: Book, tokens: Platform['tokens']): SoakKind[] => {
  const [sellToken, buyToken] = ['DAI', 'USDC'].map((symbol) => tokens[symbol]?.address as Address) as [
    Address,
    Address,
  ]
  const get = (...paths: string[]) => paths.map((path) => ({ method: 'GET' as const, path }))
  const quote = { kind: 'sell', sellToken, buyToken, from: book.owner, sellAmountBeforeFee: '1000000000000000000' }
  return [
    {
      name: 'reads',
      share: 0.6,
      requests: get(
        `${api}/orders/${book.liveUid}`,
        `${api}/orders/${book.terminalUid}/status`,
        `${api}/orders/${book.uids[1]}`,
        `/${network}/api/v2/trades?owner=${book.owner}&limit=10`,
        `${api}/account/${book.owner}/orders?limit=10`,
      ),
    },
    { name: 'cached', share: 0.25, requests: get(`/${chainId}/tokens/${sellToken}/usdPrice`) },
    { name: 'quotes', share: 0.05, requests: [{ method: 'POST', path: `${api}/quote`, body: JSON.stringify(quote) }] },
    {
      name: 'orders',
      share: 0.1,
      requests: {
        path: `${api}/orders`,
        // Pools give almost a dollar for a dollar: it can be filled for the minute that it lives, and is gone then.
        orders: { sellToken, buyToken, sellAmount: '1000000000000000000', buyAmount: '900000', validFor: 70 },
      },
    },
  ]
}

/** Requests a second of the whole mix that one bottleneck can take, from what it takes of each kind alone. */
export const computeCapacity = (kinds: readonly { share: number; requestsPerSecond: number }[]): number =>
  1 / kinds.reduce((busy, { share, requestsPerSecond }) => busy + share / requestsPerSecond, 0)
