import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { formatUsd } from '../../ui/formatUsd.ts'
import type { Draft } from '../draft/draft.ts'
import type { TradablePair, TradableToken } from '../draft/tradableToken.ts'
import { computeFees } from '../quote/computeFees.ts'
import type { Offer } from '../quote/useQuote.ts'
import { describeAmount } from '../signing/describeAmount.ts'
import { ReceiptLine } from './ReceiptLine.tsx'

type Props = {
  draft: Draft
  pair: TradablePair | undefined
  offer: Offer | null
  prices: UsdPrices | undefined
  /** end of both names */
  of?: string
}

/**
 * Network cost and fees of the offer, in dollars where the price is known. The network cost is gas, so it is valued in the
 * sell token: in the buy token a sale that moves the market would make gas look cheaper.
 */
export const CostLines = ({ draft: { kind }, pair, offer, prices, of = '' }: Props) => {
  if (!offer || !pair) return <ReceiptLine name={`Network cost${of}`}>{<Skeleton width="3.5rem" />}</ReceiptLine>
  const { quote, amounts } = offer.quote
  const fees = computeFees({ amounts, kind })
  return (
    <>
      <ReceiptLine name={`Network cost${of}`}>{toCost(BigInt(quote.feeAmount), pair.sell, prices)}</ReceiptLine>
      {fees !== 0n && (
        <ReceiptLine name={`Fees${of}`}>{toCost(fees, kind === 'sell' ? pair.buy : pair.sell, prices)}</ReceiptLine>
      )}
    </>
  )
}

const toCost = (atoms: bigint, token: TradableToken, prices: UsdPrices | undefined): string => {
  const price = prices?.get(token.address)
  return price === undefined ? describeAmount(token, atoms, 4) : formatUsd(atoms, token.decimals, price)
}
