import type { RequestListener } from 'node:http'
import type { Address } from 'viem'
import { networks } from '#shared/networks.ts'
import { answering } from './startSolver.ts'

export const ether = 10n ** 18n

/** A constant-product pool of a token and WETH without a fee, or one that trades in one direction. */
export type Pool = {
  /** wei */
  native: bigint
  /** atoms */
  tokens: bigint
  /** `buy`: WETH is bought from it; `sell`: WETH is sold to it */
  only: 'buy' | 'sell' | undefined
}

/** A pool whose price is four wei per atom, `over` times as much or `under` times less. */
export const pool = (
  native: bigint,
  { over = 1n, under = 1n, only }: { over?: bigint; under?: bigint; only?: 'buy' | 'sell' } = {},
): Pool => ({ native, tokens: (native * under) / (4n * over), only })

const parts = 30n

/** A solver's quotes that divide a trade of WETH among pools: thirty parts, each to the pool that is best for it. */
export const routingOver =
  (token: Address, pools: readonly Pool[]): RequestListener =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://solver')
    const amount = BigInt(searchParams.get('amount') ?? 0)
    const kind = searchParams.get('kind')
    const part = kind === 'sell' ? amount / parts : -amount / parts
    const open = pools.filter(({ only }) => !only || only === kind).map((one) => ({ ...one }))
    let received = 0n
    for (let i = 0n; i < parts; i += 1n) {
      const offers = open.flatMap((one) => {
        const native = one.native + part
        return native > 0n ? [{ one, native, tokens: (one.native * one.tokens) / native }] : []
      })
      const [best] = offers.toSorted((a, b) => (a.one.tokens - a.tokens > b.one.tokens - b.tokens ? -1 : 1))
      if (!best) return answering({ kind: 'QuotingFailed', description: 'no route' }, 400)(request, response)
      received += best.one.tokens - best.tokens
      Object.assign(best.one, { native: best.native, tokens: best.tokens })
    }
    const tokens = received < 0n ? -received : received
    const clearingPrices = { [networks.sepolia.wrappedNative]: String(tokens), [token]: String(amount) }
    answering({ clearingPrices, interactions: [], solver: `0x5${'0'.repeat(38)}1` })(request, response)
  }
