import { useId, useState } from 'preact/hooks'
import type { LiveBalances } from '../../actions/useBalances.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Token } from '../../tokens/token.ts'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Icon } from '../../ui/elements/Icon.tsx'
import { Segmented } from '../../ui/elements/Segmented.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { findTradeRoute, isWrapping } from '../draft/findTradeRoute.ts'
import { toSwapped } from '../draft/toSwapped.ts'
import type { TradableToken } from '../draft/tradableToken.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { toExpected } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'
import { hasTwaps } from '../twap/hasTwaps.ts'
import { AmountRow } from './AmountRow.tsx'
import { PriceRow } from './PriceRow.tsx'
import { type LossCap, SettingsFields } from './SettingsFields.tsx'

type Props = {
  network: Network
  terms: TradeTerms
  change: ChangeTerms
  draft: Draft
  /** of a TWAP: of one part */
  offer: Offer | null
  /** of equal amounts */
  parts: number
  tokens: readonly Token[]
  live: LiveBalances
  prices: UsdPrices | undefined
  /** the wallet shows the order to sign */
  isDisabled: boolean
} & LossCap

const types = { market: 'Swap', limit: 'Limit' } as const
const typesOfRegistry = { ...types, twap: 'TWAP' } as const

/** Tokens, amount and price of the trade. */
export const TradeForm = (props: Props) => {
  const { network, terms, change, draft, offer, parts, tokens, live, prices, isDisabled, isUncapped, setUncapped } =
    props
  const { sell, buy, kind } = draft
  const wrapped = isWrapping(findTradeRoute(draft, network.wrappedNative))
  const expected = wrapped ? toWrapped(draft) : toExpectedAmounts(draft, offer, parts)
  // a limit price stays with its side
  const per = terms.type === 'limit' ? terms.per : 'auto'
  const settingsId = useId()
  const [isOpen, setIsOpen] = useState(terms.slippage !== '' || terms.receiver !== '' || terms.isPartiallyFillable)
  const toRow = (side: 'sell' | 'buy', token: TradableToken | undefined) => ({
    network,
    token,
    address: terms[side],
    live,
    usdPrice: prices && (prices.get(terms[side]) ?? null),
    isExact: kind === side,
    typed: terms.amount,
    estimate: side === 'sell' ? expected?.sellAmount : expected?.buyAmount,
    atoms: kind === side ? draft.amount : side === 'sell' ? expected?.sellAmount : expected?.buyAmount,
    fault: kind === side ? draft.faults.amount : undefined,
    tokenFault: draft.faults[side],
    onAmount: (amount: string) => change({ kind: side, amount }),
  })

  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <fieldset class="trade-form" disabled={isDisabled}>
        <legend class="visually-hidden">Order</legend>
        <div class="trade-head">
          <Segmented
            label="Order type"
            choices={hasTwaps(network) ? typesOfRegistry : types}
            value={terms.type}
            onChoose={(type) => change({ type, validFor: null })}
          />
          <button
            type="button"
            class="icon-button"
            aria-label="Settings"
            aria-expanded={isOpen}
            aria-controls={settingsId}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name="settings" />
          </button>
        </div>
        <div id={settingsId} hidden={!isOpen}>
          <SettingsFields
            terms={terms}
            change={change}
            draft={draft}
            quote={offer?.quote ?? null}
            isUncapped={isUncapped}
            setUncapped={setUncapped}
          />
        </div>
        <AmountRow
          {...toRow('sell', sell)}
          side="sell"
          tokens={tokens}
          onToken={(token) => change(token === terms.buy ? toSwapped(terms, network) : { sell: token, per })}
        />
        <p class="flip">
          <button type="button" aria-label="Switch tokens" onClick={() => change(toSwapped(terms, network))}>
            <Icon name="switch" />
          </button>
        </p>
        <AmountRow
          {...toRow('buy', buy)}
          side="buy"
          isDerived={terms.type === 'twap'}
          tokens={tokens}
          onToken={(token) => change(token === terms.sell ? toSwapped(terms, network) : { buy: token, per })}
        />
        {terms.type === 'limit' && !wrapped && <PriceRow terms={terms} change={change} draft={draft} offer={offer} />}
      </fieldset>
    </form>
  )
}

const toExpectedAmounts = ({ type, limit }: Draft, offer: Offer | null, parts: number): Amounts | undefined => {
  if (type === 'limit') return limit
  if (!offer) return undefined
  const { sellAmount, buyAmount } = toExpected(offer.quote)
  return { sellAmount: sellAmount * BigInt(parts), buyAmount: buyAmount * BigInt(parts) }
}

/** One to one. */
const toWrapped = ({ amount }: Draft): Amounts | undefined =>
  amount === undefined ? undefined : { sellAmount: amount, buyAmount: amount }
