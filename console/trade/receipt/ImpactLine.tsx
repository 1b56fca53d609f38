import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { formatChange } from '../../ui/formatChange.ts'
import type { TradablePair, TradableToken } from '../draft/tradableToken.ts'
import { computeValueChange, warnedLossShare } from '../quote/computeValueChange.ts'
import { toAmounts } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'
import { ReceiptLine } from './ReceiptLine.tsx'

type Props = { pair: TradablePair | undefined; offer: Offer | null; prices: UsdPrices | undefined }

/** Change of the value by the trade, in dollars. */
export const ImpactLine = ({ pair, offer, prices }: Props) => {
  const name = 'Price impact'
  if (!offer || !pair || !prices) return <ReceiptLine name={name}>{<Skeleton width="3.5rem" />}</ReceiptLine>
  const toSide = ({ decimals, address }: TradableToken) => ({ decimals, usd: prices.get(address) })
  const { beforeAllFees } = offer.quote.amounts
  const change = computeValueChange(toAmounts(beforeAllFees), toSide(pair.sell), toSide(pair.buy))
  if (change === undefined) return <ReceiptLine name={name}>Unknown: no dollar price</ReceiptLine>
  return (
    <ReceiptLine name={name} {...(change < warnedLossShare ? { class: 'manifest' } : {})}>
      {formatChange(change)}
    </ReceiptLine>
  )
}
