import type { Network } from '../../networks/NetworksProvider.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { formatDuration } from '../../ui/formatDuration.ts'
import { shorten } from '../../ui/shorten.ts'
import { AccountName } from '../../wallet/AccountName.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { toPair } from '../draft/tradableToken.ts'
import { toShownMarket } from '../market/toShownMarket.ts'
import type { QuoteState } from '../quote/useQuote.ts'
import { CostLines } from '../receipt/CostLines.tsx'
import { describeMinimum } from '../receipt/describeMinimum.ts'
import { describePrice } from '../receipt/describePrice.ts'
import { OfferCountdown } from '../receipt/OfferCountdown.tsx'
import { ReceiptLine } from '../receipt/ReceiptLine.tsx'
import { describeAmount } from '../signing/describeAmount.ts'
import { computeMinimumPart } from './buildTwap.ts'

type Props = {
  network: Network
  /** of one part */
  draft: Draft
  parts: number
  /** seconds from part to part */
  every: number
  /** of one part */
  quote: QuoteState
  signed: Amounts | undefined
  /** the terms suffice for a quote */
  isRequested: boolean
  prices: UsdPrices | undefined
}

/** Price, costs and minimum of each part, and of all. */
export const TwapReceipt = (props: Props) => {
  const { network, draft, parts, every, signed, isRequested, prices } = props
  const { offer, failure, isRequesting, reload } = props.quote
  if (!isRequested && !signed) return null
  const pair = toPair(draft)
  const isLoading = !offer && !failure
  const minimum = describeMinimum(failure, pair)
  const toLine = (token: Draft['sell'], atoms: bigint | undefined) =>
    atoms === undefined ? isLoading ? <Skeleton width="6rem" /> : '–' : describeAmount(token, atoms)
  const total = (atoms: bigint | undefined) => atoms && atoms * BigInt(parts)
  return (
    <section class="receipt" aria-label="Quote" aria-busy={isRequesting}>
      {failure && <Failure failure={failure} retry={reload} />}
      {minimum && <p class="notice">Each part: {minimum}</p>}
      {(offer || isLoading) && (
        <div class="receipt-head">
          <span class="receipt-toggle">
            <OfferCountdown offer={offer} isRequesting={isLoading} />
            <span class="number">
              {describePrice(draft, pair, offer, isLoading, toShownMarket(draft, prices).isInverted)}
            </span>
          </span>
        </div>
      )}
      <dl class="receipt-lines">
        <ReceiptLine name="Each part sells">{toLine(draft.sell, draft.amount)}</ReceiptLine>
        <ReceiptLine name="Minimum received per part">
          <strong>{toLine(draft.buy, signed?.buyAmount)}</strong>
        </ReceiptLine>
        <ReceiptLine name="Minimum received in total">{toLine(draft.buy, total(signed?.buyAmount))}</ReceiptLine>
        {(offer || isLoading) && <CostLines draft={draft} pair={pair} offer={offer} prices={prices} of=" per part" />}
        {offer && (
          <ReceiptLine name="Smallest part">
            {describeAmount(draft.sell, computeMinimumPart(BigInt(offer.quote.quote.feeAmount)), 4)}
          </ReceiptLine>
        )}
        <ReceiptLine name="Duration">{formatDuration(parts * every * 1_000)}</ReceiptLine>
        {draft.receiver && (
          <ReceiptLine name="Recipient" class="other-recipient">
            <code title={draft.receiver}>{shorten(draft.receiver)}</code>{' '}
            <AccountName network={network} address={draft.receiver} />
          </ReceiptLine>
        )}
      </dl>
    </section>
  )
}
