import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useNetwork } from '../../networks/NetworksProvider.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { CountdownRing } from '../../ui/elements/CountdownRing.tsx'
import { Icon } from '../../ui/elements/Icon.tsx'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { formatShare } from '../../ui/formatShare.ts'
import { formatUsd } from '../../ui/formatUsd.ts'
import { computePrice } from '../../ui/ratio/computePrice.ts'
import { formatRatio } from '../../ui/ratio/formatRatio.ts'
import { shorten } from '../../ui/shorten.ts'
import { useNow } from '../../ui/useNow.ts'
import { AccountName } from '../../wallet/AccountName.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { type TradablePair, type TradableToken, toPair } from '../draft/tradableToken.ts'
import { findValidityChoices } from '../draft/validity.ts'
import { describeAmount, describeOrder } from '../signing/describeOrder.ts'
import { computeCosts } from './computeCosts.ts'
import type { Improvement } from './computeImprovement.ts'
import { computeValueChange, manifestLoss } from './computeValueChange.ts'
import { freshMs } from './isFresh.ts'
import { LadderTable } from './LadderTable.tsx'
import { type Quote, toAmounts } from './quote.ts'
import { toSlippageBps } from './toSlippageBps.ts'
import type { Offer, QuoteState } from './useQuote.ts'

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
  // without a live price, what will be signed is the only thing to check
  const isOpen = choice ?? (signed !== undefined && !offer && !isLoading)
  if (!isRequested && !signed) return null
  return (
    <section class="receipt" aria-label="Quote" aria-busy={isRequesting}>
      {failure && <Failure failure={failure} retry={reload} />}
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
            {(offer || isLoading) && <Countdown offer={offer} isRequesting={isLoading} />}
            <span class="number">{describePrice(draft, pair, offer, isLoading)}</span>
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
        <TermLines draft={draft} signed={signed} quote={offer?.quote ?? null} />
        {hasPermit && <Line name="Approval">Signature instead of an approval transaction</Line>}
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

const describePrice = (
  { type }: Draft,
  pair: TradablePair | undefined,
  offer: Offer | null,
  isLoading: boolean,
): string => {
  if (offer && pair) return `${type === 'limit' ? 'Market: ' : ''}${toRate(pair, offer.quote)}`
  return isLoading ? 'Fetching a live price …' : 'No live price: what you sign'
}

const Countdown = ({ offer, isRequesting }: { offer: Offer | null; isRequesting: boolean }) => {
  const now = useNow()
  if (!offer) return <CountdownRing share={1} isBusy={isRequesting} />
  const restMs = Math.max(0, offer.receivedAt + freshMs - now)
  return (
    <span class="countdown" title={`Quote expires in ${Math.round(restMs / 1_000)} s`}>
      <CountdownRing share={restMs / freshMs} />
    </span>
  )
}

const Line = ({ name, children, class: className }: { name: string; children: ComponentChildren; class?: string }) => (
  <div class={className}>
    <dt>{name}</dt>
    <dd class="number">{children}</dd>
  </div>
)

type QuoteProps = { pair: TradablePair | undefined; offer: Offer | null; prices: UsdPrices | undefined }

const CostLines = ({ draft: { kind }, pair, offer, prices }: QuoteProps & { draft: Draft }) => {
  if (!offer || !pair) return <Line name="Network cost">{<Skeleton width="3.5rem" />}</Line>
  const { network, fees } = computeCosts({ amounts: offer.quote.amounts, kind })
  const token = kind === 'sell' ? pair.buy : pair.sell
  return (
    <>
      <Line name="Network cost">{toCost(network, token, prices)}</Line>
      {fees !== 0n && <Line name="Fees">{toCost(fees, token, prices)}</Line>}
    </>
  )
}

const toCost = (atoms: bigint, token: TradableToken, prices: UsdPrices | undefined): string => {
  const price = prices?.get(token.address)
  return price === undefined ? describeAmount(token, atoms, 4) : formatUsd(atoms, token.decimals, price)
}

const ImpactLine = ({ pair, offer, prices }: QuoteProps) => {
  const name = 'Price impact'
  if (!offer || !pair || !prices) return <Line name={name}>{<Skeleton width="3.5rem" />}</Line>
  const toSide = ({ decimals, address }: TradableToken) => ({ decimals, usd: prices.get(address) })
  const { beforeAllFees } = offer.quote.amounts
  const change = computeValueChange(toAmounts(beforeAllFees), toSide(pair.sell), toSide(pair.buy))
  if (change === undefined) return <Line name={name}>Unknown: no dollar price</Line>
  return (
    <Line name={name} {...(change < manifestLoss ? { class: 'manifest' } : {})}>
      {formatChange(change)}
    </Line>
  )
}

/** `−0.04 %`; a share of a dollar value is approximate. */
const formatChange = (change: number): string => {
  const percent = (Math.abs(change) * 100).toFixed(2)
  return percent === '0.00' ? '0.00 %' : `${change < 0 ? '−' : '+'}${percent} %`
}

type TermProps = { draft: Draft; signed: Amounts | undefined; quote: Quote | null }

const TermLines = ({ draft, signed, quote }: TermProps) => {
  const { kind, type, sell, buy, receiver, isPartiallyFillable, validFor } = draft
  const network = useNetwork()
  const slippageBps = toSlippageBps(draft, quote)
  const validity = findValidityChoices({ type, validFor }).find(({ seconds }) => seconds === validFor)?.label
  const limit =
    signed && (kind === 'sell' ? describeAmount(buy, signed.buyAmount) : describeAmount(sell, signed.sellAmount))
  return (
    <>
      <Line name={kind === 'sell' ? 'Minimum received' : 'Maximum sent'}>
        {limit ? <strong>{limit}</strong> : <Skeleton width="6rem" />}
      </Line>
      {type === 'market' && (
        <Line name={draft.slippageBps === 'auto' ? 'Max. slippage · auto' : 'Max. slippage'}>
          {slippageBps === undefined ? <Skeleton width="3rem" /> : `${slippageBps / 100} %`}
        </Line>
      )}
      <Line name="Valid for">{validity}</Line>
      {isPartiallyFillable && <Line name="Partial fills">Allowed</Line>}
      {receiver && (
        <Line name="Recipient" class="other-recipient">
          <code title={receiver}>{shorten(receiver)}</code> <AccountName network={network} address={receiver} />
        </Line>
      )}
    </>
  )
}

const toRate = ({ sell, buy }: TradablePair, quote: Quote): string => {
  const price = computePrice(toAmounts(quote.amounts.beforeAllFees), { sell: sell.decimals, buy: buy.decimals })
  return `1 ${sell.symbol ?? 'token'} = ${formatRatio(price)} ${buy.symbol ?? 'tokens'}`
}

const describeOffer = ({ number, improvement }: Offer): string =>
  `Quote ${number}${improvement ? `, ${describeImprovement(improvement)}` : ''}`

const describeImprovement = ({ atoms, of }: Improvement): string => {
  if (atoms === 0n) return 'unchanged'
  return atoms > 0n ? `better by ${formatShare(atoms, of)}` : `worse by ${formatShare(-atoms, of)}`
}

const reasons: Record<NonNullable<Quote['verification']['reason']>, string> = {
  timeout: 'the simulation took too long',
  nodeCannotSimulate: 'the node cannot simulate',
  nodeUnavailable: 'the node does not respond',
  fastQuote: 'fast quotes are not simulated',
  balanceNotSimulated: 'the balance could not be simulated',
}

const describeVerification = ({ verification: { status, reason } }: Quote): string =>
  status === 'passed'
    ? '✓ Simulated: the trade gives these amounts.'
    : `Not simulated${reason ? `: ${reasons[reason]}` : ''}.`
