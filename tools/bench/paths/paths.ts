import type { Address } from 'viem'
import { networks } from '#shared/networks.ts'
import type { LoadPlan } from '../load/startLoadGenerator.ts'
import type { Book } from '../platform/seedBook.ts'
import type { Platform } from '../platform/startPlatform.ts'

/** Budget of one request of a path. */
export type PathBudget = {
  databaseRoundTrips: number
  rpcCalls?: number
  /** CPU time of a request above the floor's, as a multiple of the floor's */
  own?: number
  /** minimum share of the floor's requests per second */
  throughput?: number
}

export type Path = {
  name: string
  /** the floor Worker for comparison */
  floor: 'hono' | 'driver'
  requests: LoadPlan['requests']
  /** expected status of every response */
  status: number
  budget: PathBudget
}

const { name: network, chainId } = networks.sepolia
const api = `/${network}/api/v1`
/** far from any market: such an order is stored and waits */
const unreachable = (10n ** 40n).toString()

/** Every path with a budget. A new row is one entry here. */
export const buildBenchPaths = (book: Book, tokens: Platform['tokens'], terminalEtag: string): Path[] => {
  const addressOf = (symbol: string): Address => {
    const token = tokens[symbol]
    if (!token) throw new Error(`no token ${symbol}`)
    return token.address
  }
  const get = (path: string, headers?: Record<string, string>) => [
    { method: 'GET' as const, path, ...(headers ? { headers } : {}) },
  ]
  const post = (path: string, body: unknown) => [{ method: 'POST' as const, path, body: JSON.stringify(body) }]
  const oneRead = (own: number): PathBudget => ({ databaseRoundTrips: 1, rpcCalls: 0, own })
  const cached: PathBudget = { databaseRoundTrips: 0, rpcCalls: 0, throughput: 0.85 }
  const orders = {
    sellToken: addressOf('DAI'),
    buyToken: addressOf('USDC'),
    sellAmount: '1000000000000000000',
    buyAmount: unreachable,
    validFor: 120,
  }
  const quote = {
    kind: 'sell',
    sellToken: addressOf('DAI'),
    buyToken: addressOf('USDC'),
    from: book.owner,
    sellAmountBeforeFee: '1000000000000000000000',
  }
  const varied = (i: number) => ({ ...quote, sellAmountBeforeFee: (10n ** 21n + BigInt(i)).toString() })
  return [
    {
      name: 'GET order, live',
      floor: 'driver',
      requests: get(`${api}/orders/${book.liveUid}`),
      status: 200,
      budget: oneRead(1.5),
    },
    {
      name: 'GET order, terminal',
      floor: 'driver',
      requests: get(`${api}/orders/${book.terminalUid}`),
      status: 200,
      budget: oneRead(1.5),
    },
    {
      name: 'GET order, 304',
      floor: 'driver',
      requests: get(`${api}/orders/${book.terminalUid}`, { 'If-None-Match': terminalEtag }),
      status: 304,
      budget: oneRead(1.5),
    },
    {
      name: 'GET app data',
      floor: 'driver',
      requests: get(`${api}/app_data/${book.appDataHash}`),
      status: 200,
      budget: oneRead(1.5),
    },
    {
      name: 'GET trades, a page of 10',
      floor: 'driver',
      requests: get(`/${network}/api/v2/trades?owner=${book.owner}&limit=10`),
      status: 200,
      budget: oneRead(2),
    },
    {
      name: 'GET orders of an account with 100,000',
      floor: 'driver',
      requests: get(`${api}/account/${book.owner}/orders?limit=10`),
      status: 200,
      budget: oneRead(2),
    },
    {
      name: 'POST by_uids, 128',
      floor: 'driver',
      requests: post(`${api}/orders/by_uids`, book.uids),
      status: 200,
      budget: oneRead(6),
    },
    {
      name: 'POST orders, EOA',
      floor: 'driver',
      requests: { orders, path: `${api}/orders` },
      status: 201,
      budget: { databaseRoundTrips: 1, rpcCalls: 1, own: 6 },
    },
    {
      name: 'POST quote',
      floor: 'driver',
      requests: post(`${api}/quote`, quote),
      status: 200,
      budget: { databaseRoundTrips: 1, own: 8, throughput: 0.15 },
    },
    {
      // no two in flight are equal
      name: 'POST quote, varied',
      floor: 'driver',
      requests: Array.from({ length: 500 }, (_, i) => varied(i)).flatMap((body) => post(`${api}/quote`, body)),
      status: 200,
      budget: { databaseRoundTrips: 1.1, own: 8 },
    },
    {
      name: 'GET usdPrice',
      floor: 'hono',
      requests: get(`/${chainId}/tokens/${addressOf('DAI')}/usdPrice`),
      status: 200,
      budget: cached,
    },
    {
      name: 'GET topHolders',
      floor: 'hono',
      requests: get(`/${chainId}/tokens/${addressOf('DAI')}/topHolders`),
      status: 200,
      budget: cached,
    },
    {
      name: 'GET notifications',
      floor: 'hono',
      requests: get(`/accounts/${book.owner}/notifications`),
      status: 200,
      budget: cached,
    },
  ]
}
