import { formatShare } from '../../ui/formatShare.ts'
import { localize } from '../../ui/numbers.ts'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { toPair } from '../draft/tradableToken.ts'
import { computeImprovement } from '../quote/computeImprovement.ts'
import { computeValueChange, describeValueChange, warnedLossShare } from '../quote/computeValueChange.ts'
import { type Quote, toExpected } from '../quote/quote.ts'
import { toSlippageBps } from '../quote/toSlippageBps.ts'

type Facts = {
  draft: Draft
  /** the amounts of the order */
  signed: Amounts
  /** null without an offer */
  quote: Quote | null
  /** US dollars for a whole token, by address; undefined: loading */
  prices: ReadonlyMap<string, number> | undefined
}

/** Shares worse than the offer that cause a warning: a typing error, or an inverted price. */
const manifestShare = 20n

/** A possible loss by signing, in a sentence with its figure. */
export type Risk = { text: string /** of the value, 0.05 is 5 % */; share: number }

/** Possible losses by signing; none below 5 %. */
export const findSignedRisks = ({ draft, signed, quote, prices }: Facts): Risk[] =>
  [describeDistance(draft, signed, quote), describeLoss(draft, signed, prices)].filter((risk) => risk !== undefined)

const describeDistance = (draft: Draft, signed: Amounts, quote: Quote | null): Risk | undefined => {
  const { type, kind } = draft
  if (type === 'market') {
    const slippageBps = toSlippageBps(draft, quote)
    if (slippageBps === undefined || BigInt(slippageBps) * manifestShare <= 10_000n) return undefined
    const outcome = kind === 'sell' ? 'receive that much less' : 'pay that much more'
    return {
      text: `With ${localize(String(slippageBps / 100))} % slippage you may ${outcome} than quoted.`,
      share: slippageBps / 10_000,
    }
  }
  if (!quote) return undefined
  const { atoms, of } = computeImprovement(kind, toExpected(quote), signed)
  if (-atoms * manifestShare <= of) return undefined
  const share = formatShare(-atoms, of)
  return {
    text:
      kind === 'sell'
        ? `At your price you may receive ${share} less than the market offers now.`
        : `At your price you may pay ${share} more than at the market price now.`,
    share: Number(-atoms) / Number(of),
  }
}

const describeLoss = (draft: Draft, signed: Amounts, prices: Facts['prices']): Risk | undefined => {
  const pair = toPair(draft)
  if (!pair) return undefined
  const toSide = ({ address, decimals }: (typeof pair)['sell']) => ({ decimals, usd: prices?.get(address) })
  const change = computeValueChange(signed, toSide(pair.sell), toSide(pair.buy))
  if (change === undefined || change >= warnedLossShare) return undefined
  return {
    text: `Measured in US dollars you receive ${describeValueChange(change)} than you pay.`,
    share: -change,
  }
}
