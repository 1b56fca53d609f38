import { expect, test } from 'vitest'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import type { DriverQuoteQuery } from '#shared/solvers/driverApi.ts'
import { drawnTokens, drawPools } from '#test/helpers/solvers/drawPools.ts'
import { solveAsBaseline } from '#test/solvers/baselineEngine.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { DriverError } from '../DriverError.ts'
import type { QuoteMarket } from '../pools/createQuoteMarket.ts'
import { findQuote } from '../solutions/findQuote.ts'
import type { Engine } from './connectEngine.ts'
import { engineResponseSchema } from './engineApi.ts'
import { findEngineQuote } from './findEngineQuote.ts'

/** `MARKET_SEED=<n>` for other markets, `MARKET_COUNT` for more. */
const seed = Number(process.env.MARKET_SEED ?? 19)
const count = Number(process.env.MARKET_COUNT ?? 100)
const [sellToken, buyToken, ...baseTokens] = drawnTokens

/** The public baseline over what edgebook sends; its solutions are parsed as those of any engine. */
const engine: Engine = {
  solve: async (body) => {
    const sent = JSON.parse(JSON.stringify(body))
    return engineResponseSchema.parse(solveAsBaseline(sent, { baseTokens, maxHops: 2 }))
  },
  notify: async () => undefined,
}
/** A node whose tokens do not respond: an engine then receives no decimals, which a price does not need. */
const client = { call: async () => ({ data: '0x' }) } as unknown as ChainClient

/** @returns what a trade of the exact amount costs or brings; undefined without a route */
const quote = async (market: QuoteMarket, query: DriverQuoteQuery, isEngine: boolean) => {
  const deps = {
    // a fee in the native token needs no swap, which other markets may not have a pool for
    network: { ...networks.sepolia, wrappedNative: sellToken },
    ...{ strategy: 'multihop' as const, factory: sellToken, baseTokens, solver: sellToken, tolerance: 0n },
  }
  const findMarket = async () => market
  const found = isEngine
    ? findEngineQuote(client, findMarket, { ...deps, engine, now: () => 0, background: () => undefined }, query, 10_000)
    : findQuote(client, findMarket, deps, query, 10_000)
  const quoted = await found.catch((error: unknown) => {
    if (error instanceof DriverError && error.kind === 'QuotingFailed') return undefined
    throw error
  })
  return quoted && Number(quoted.clearingPrices[query.kind === 'sell' ? sellToken : buyToken])
}

test.each(['sell', 'buy'] as const)(
  `the public baseline as an engine reaches the prices of the reference solver for a %s on ${count} random markets`,
  async (kind) => {
    const random = createRandom(seed)
    const differences: number[] = []
    for (let i = 0; i < count; i += 1) {
      const market = { pools: drawPools(random), gasPrice: 0n }
      const amount = BigInt(Math.floor(10 ** (6 + 3 * random())))
      const query = { sellToken, buyToken, kind, amount, deadline: '2100-01-01T00:00:00Z' }
      const [reference, baseline] = await Promise.all([quote(market, query, false), quote(market, query, true)])
      const name = `market ${i}: ${kind} ${amount}`
      expect(baseline === undefined, name).toBe(reference === undefined)
      if (reference === undefined || baseline === undefined) continue
      differences.push(Math.abs(baseline / reference - 1))
      expect(differences.at(-1), name).toBeLessThan(0.001)
    }
    expect(differences.length).toBeGreaterThan(count * 0.8)
  },
)
