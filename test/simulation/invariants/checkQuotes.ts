import type { Address } from 'viem'
import { maxOf } from '#shared/amounts/minMax.ts'
import type { Block } from '../chain/createChain.ts'
import { honestTokens } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { GivenQuote, World } from '../world.ts'
import { Violation } from './violation.ts'

/** Solvers split amounts over routes, and the pools move between their reading and the block, 1/10000. */
const marginBps = 150n

/**
 * In calm weather a quote for honest tokens is given, and its amounts after fees are those that the pools trade.
 * @returns a check of the responses since the last one
 */
export const createQuoteCheck = ({ quotes, weather, chain }: World) => {
  let checked = 0
  return (): void => {
    for (const quote of quotes.slice(checked)) {
      checked += 1
      const { requestedAt, respondedAt, status, quoted } = quote
      if (requestedAt <= weather.disturbedAt || respondedAt <= weather.disturbedAt) continue
      if (status >= 500) throw new Violation('quotes', `a request for a quote is answered with ${status}`)
      if (quoted) checkAmounts(quote, quoted, chain)
    }
  }
}

const checkAmounts = (
  { sellToken, buyToken, requestedAt, respondedAt }: GivenQuote,
  { id, quote }: NonNullable<GivenQuote['quoted']>,
  chain: World['chain'],
): void => {
  const [sell, buy] = [BigInt(quote.sellAmount), BigInt(quote.buyAmount)]
  const blocks = chain.blocks.slice(Math.max(0, requestedAt - 1), respondedAt + 1)
  const [least, most] = [
    blocks.map((block) => estimateOutput(chain, block, sellToken, buyToken, sell)),
    blocks.map((block) => estimateBestOutput(chain, block, sellToken, buyToken, sell)),
  ]
  const isNear = blocks.some(
    (_, i) =>
      buy * 10_000n <= (most[i] ?? 0n) * (10_000n + marginBps) &&
      buy * 10_000n >= (least[i] ?? 0n) * (10_000n - marginBps),
  )
  if (!isNear) throw new Violation('quotes', `quote ${id}: ${sell} for ${buy}, the pools give ${least} to ${most}`)
}

/** The best output of routes through one more token. */
const estimateBestOutput = (chain: World['chain'], block: Block, from: Address, to: Address, amount: bigint): bigint =>
  honestTokens
    .filter(({ address }) => address !== from && address !== to)
    .map(({ address }) =>
      estimateOutput(chain, block, address, to, estimateOutput(chain, block, from, address, amount)),
    )
    .reduce(maxOf, estimateOutput(chain, block, from, to, amount))
