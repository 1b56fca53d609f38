import { useId, useState } from 'preact/hooks'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Icon } from '../../ui/elements/Icon.tsx'
import { Failure } from '../../ui/Failure.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { toPair } from '../draft/tradableToken.ts'
import { toShownMarket } from '../market/toShownMarket.ts'
import type { QuoteState } from '../quote/useQuote.ts'
import { describeOrder } from '../signing/describeOrder.ts'
import { CostLines } from './CostLines.tsx'
import { describeMinimum } from './describeMinimum.ts'
import { describeOffer } from './describeOffer.ts'
import { describePrice } from './describePrice.ts'
import { describeVerification } from './describeVerification.ts'
import { ImpactLine } from './ImpactLine.tsx'
import { LadderTable } from './LadderTable.tsx'
import { OfferCountdown } from './OfferCountdown.tsx'
import { ReceiptLine } from './ReceiptLine.tsx'
import { TermLines } from './TermLines.tsx'

type Props = {
  draft: Draft
  quote: QuoteState
  /** amounts of the order; undefined without a quote */
  signed: Amounts | undefined
  /** the terms suffice for a quote */
  isRequested: boolean
  prices: UsdPrices | undefined
  /** the approval is signed with the order */
  hasPermit: boolean
}

/** The order before it is signed: rate, costs and the least that is received, with all steps on request. */
export const Receipt = ({ draft, quote, signed, isRequested, prices, hasPermit }: Props) => {
  const { offer, failure, isRequesting, round, reload } = quote
  const [choice, setChoice] = useState<boolean>()
  const id = useId()
  const pair = toPair(draft)
  const isLoading = isRequested && !offer && !failure
  // without a live price, only the terms to sign can be checked
  const isOpen = choice ?? (signed !== undefined && !offer && !isLoading)
  if (!isRequested && !signed) return null
  const minimum = describeMinimum(failure, pair)
  return (
    <section class="receipt" aria-label="Quote" aria-busy={isRequesting}>
      {failure && <Failure failure={failure} retry={reload} />}
      {minimum && <p class="notice">{minimum}</p>}
      {(offer || isLoading || signed) && (
        <div class="receipt-head">
          <button
            type="button"
            class="bare receipt-toggle"
            aria-expanded={isOpen}
            aria-controls={id}
            disabled={!offer && !signed}
            onClick={() => setChoice(!isOpen)}
          >
            {(offer || isLoading) && <OfferCountdown offer={offer} isRequesting={isLoading} />}
            <span class="number">
              {describePrice(draft, pair, offer, isLoading, toShownMarket(draft, prices).isInverted)}
            </span>
            <Icon name="chevron" size={18} />
          </button>
          {/* later quotes arrive every few seconds and must not be announced by screen readers */}
          <span class="receipt-state fine" aria-live={round > 1 ? 'off' : 'polite'}>
            {offer ? describeOffer(offer) : ''}
          </span>
        </div>
      )}
      <dl class="receipt-lines">
        {(offer || isLoading) && (
          <>
            <CostLines draft={draft} pair={pair} offer={offer} prices={prices} />
            <ImpactLine pair={pair} offer={offer} prices={prices} />
          </>
        )}
        <TermLines draft={draft} signed={signed} quote={offer?.quote ?? null} isLoading={isLoading} />
        {hasPermit && <ReceiptLine name="Approval">Signature instead of an approval transaction</ReceiptLine>}
      </dl>
      <div id={id} class="receipt-details" hidden={!isOpen}>
        {isOpen && offer && pair && (
          <>
            <LadderTable draft={draft} pair={pair} quote={offer.quote} />
            <p class="fine">{describeVerification(offer.quote)}</p>
          </>
        )}
        {isOpen && signed && (
          <ul class="terms fine">
            {describeOrder(draft, signed).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
