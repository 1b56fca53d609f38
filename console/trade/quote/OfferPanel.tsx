import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Failure } from '../../ui/Failure.tsx'
import { formatShare } from '../../ui/formatShare.ts'
import { computePrice, formatRatio, invert } from '../../ui/ratio.ts'
import { TimeText } from '../../ui/TimeText.tsx'
import type { Draft } from '../draft/draft.ts'
import { type TradablePair, type TradableToken, toPair } from '../draft/tradableToken.ts'
import type { Improvement } from './computeImprovement.ts'
import { computeValueChange, describeValueChange, manifestLoss } from './computeValueChange.ts'
import { LadderTable } from './LadderTable.tsx'
import { type Quote, toExpected } from './quote.ts'
import type { Offer, QuoteState } from './useQuote.ts'

type Props = {
  draft: Draft
  quote: QuoteState
  /** the terms suffice for a quote */
  isRequested: boolean
  /** token metadata is still loading */
  isLoading: boolean
  prices: UsdPrices | undefined
}

/** The market's current offer, improved live. */
export const OfferPanel = ({
  draft,
  quote: { offer, failure, isRequesting, round, reload },
  isRequested,
  isLoading,
  prices,
}: Props) => {
  const pair = toPair(draft)
  return (
    <section class="panel offer" aria-labelledby="offer-title" aria-busy={isRequesting}>
      <h2 id="offer-title">{draft.type === 'limit' ? 'What the market offers now' : 'Offer'}</h2>
      {/* later offers arrive every few seconds and must not be announced by screen readers */}
      <p class="offer-state" aria-live={round > 1 ? 'off' : 'polite'}>
        {isRequested ? describe(offer, isRequesting) : isLoading ? 'Loading the tokens …' : invitation}
      </p>
      {failure && <Failure failure={failure} retry={reload} />}
      {isRequested && offer && pair && (
        <>
          <Prices pair={pair} quote={offer.quote} />
          <LadderTable draft={draft} pair={pair} quote={offer.quote} />
          <Value pair={pair} quote={offer.quote} prices={prices} />
          <dl class="facts">
            <div>
              <dt>Simulated</dt>
              <dd>{describeVerification(offer.quote)}</dd>
            </div>
            <div>
              <dt>This offer ends</dt>
              <dd>
                <TimeText time={offer.quote.expiration} />
              </dd>
            </div>
          </dl>
        </>
      )}
    </section>
  )
}

type ValueProps = { pair: TradablePair; quote: Quote; prices: UsdPrices | undefined }

const Value = ({ pair: { sell, buy }, quote, prices }: ValueProps) => {
  const toSide = ({ decimals, address }: TradableToken) => ({ decimals, usd: prices?.get(address) })
  const change = computeValueChange(toExpected(quote), toSide(sell), toSide(buy))
  if (change === undefined || change > manifestLoss) return null
  return (
    <p class="notice warning">
      In US dollars you get {describeValueChange(change)} than you give. The market may be too small for this trade.
    </p>
  )
}

const Prices = ({ pair: { sell, buy }, quote }: { pair: TradablePair; quote: Quote }) => {
  const price = computePrice(toExpected(quote), { sell: sell.decimals, buy: buy.decimals })
  const toLine = (one: string | undefined, other: string | undefined, text: string) =>
    `1 ${one ?? 'token'} = ${text} ${other ?? 'tokens'}`
  return (
    <p class="prices number">
      <strong>{toLine(sell.symbol, buy.symbol, formatRatio(price))}</strong>
      <span>{toLine(buy.symbol, sell.symbol, formatRatio(invert(price)))}</span>
    </p>
  )
}

const invitation = 'Choose the tokens and an amount to request prices from the solvers.'

const describe = (offer: Offer | null, isRequesting: boolean): string => {
  if (!offer) return isRequesting ? 'Requesting prices from the solvers …' : 'There is no offer.'
  const text = `Offer ${offer.number}${offer.improvement ? `, ${describeImprovement(offer.improvement)}` : ''}.`
  return isRequesting ? `${text} More offers may follow …` : text
}

const describeImprovement = ({ atoms, of }: Improvement): string => {
  if (atoms === 0n) return 'the price is unchanged'
  return atoms > 0n ? `better by ${formatShare(atoms, of)}` : `worse than before by ${formatShare(-atoms, of)}`
}

const reasons: Record<NonNullable<Quote['verification']['reason']>, string> = {
  timeout: 'there was no time for it',
  nodeCannotSimulate: 'the node cannot simulate',
  nodeUnavailable: 'the node does not respond',
  fastQuote: 'a fast quote is not simulated',
  balanceNotSimulated: 'the balance could not be simulated',
}

const describeVerification = ({ verification: { status, reason } }: Quote): string => {
  if (status === 'passed') return 'Yes, the trade gives these amounts'
  return `No${reason ? `: ${reasons[reason]}` : ''}`
}
