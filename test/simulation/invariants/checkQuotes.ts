import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { GivenQuote, World } from '../world.ts'
import { Violation } from './violation.ts'

/** A solver finds routes that the oracle does not know, and the pools move between its reading and the block, 1/10000. */
const marginBps = 150n

/** In calm weather a quote for honest tokens is given, and its amounts after fees are those that the pools trade. */
export const checkQuotes = ({ quotes, weather, chain }: World): void => {
  for (const quote of quotes.splice(0)) {
    const { askedAt, answeredAt, status, quoted } = quote
    if (askedAt <= weather.disturbedAt || answeredAt <= weather.disturbedAt) continue
    if (status >= 500) throw new Violation('quotes', `a request for a quote is answered with ${status}`)
    if (quoted) checkAmounts(quote, quoted, chain)
  }
}

const checkAmounts = (
  { sellToken, buyToken, askedAt, answeredAt }: GivenQuote,
  { id, quote }: NonNullable<GivenQuote['quoted']>,
  chain: World['chain'],
): void => {
  const [sell, buy] = [BigInt(quote.sellAmount), BigInt(quote.buyAmount)]
  const outputs = chain.blocks
    .slice(Math.max(0, askedAt - 1), answeredAt + 1)
    .map((block) => estimateOutput(chain, block, sellToken, buyToken, sell))
  const isNear = outputs.some(
    (output) => buy * 10_000n <= output * (10_000n + marginBps) && buy * 10_000n >= output * (10_000n - marginBps),
  )
  if (!isNear) throw new Violation('quotes', `quote ${id}: ${sell} for ${buy}, the pools give ${outputs}`)
}
