import type { Address } from 'viem'
import { networks } from '#shared/networks.ts'
import type { LoadPlan } from '../load/startLoadGenerator.ts'
import type { Book } from '../platform/seedBook.ts'
import type { Platform } from '../platform/startPlatform.ts'

/** One kind of request and its share of the mix. */
export type SoakKind = { name: string; share: number; requests: LoadPlan['requests'] }

const { name: network, chainId } = networks.sepolia
const api = `/${network}/api/v1`

/** Request mix of clients, mostly reads of known orders. The shares add up to one. */
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
        // Pools pay almost a dollar per dollar: the order is fillable for its minute, then expires.
        orders: { sellToken, buyToken, sellAmount: '1000000000000000000', buyAmount: '900000', validFor: 70 },
      },
    },
  ]
}

/** Requests per second of the whole mix that one bottleneck allows, from its capacity for each kind alone. */
export const computeCapacity = (kinds: readonly { share: number; requestsPerSecond: number }[]): number =>
  1 / kinds.reduce((busy, { share, requestsPerSecond }) => busy + share / requestsPerSecond, 0)
