import { useId } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import type { Token } from '../../tokens/tokenBook.ts'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import type { Draft } from '../draft/draft.ts'
import type { TradableToken } from '../draft/tradableToken.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import type { LiveBalances } from '../funds/useBalances.ts'
import { toExpected } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'
import { AmountRow } from './AmountRow.tsx'
import { MoreTerms } from './MoreTerms.tsx'
import { PriceRow } from './PriceRow.tsx'

type Props = {
  network: Network
  terms: TradeTerms
  change: ChangeTerms
  draft: Draft
  offer: Offer | null
  sellTokens: readonly Token[]
  buyTokens: readonly Token[]
  live: LiveBalances
  prices: UsdPrices | undefined
  /** the wallet shows the order to sign */
  isDisabled: boolean
}

const types = { market: 'Market order', limit: 'Limit order' } as const

/** Tokens, amount and price of the trade. */
export const TradeForm = (props: Props) => {
  const { network, terms, change, draft, offer, sellTokens, buyTokens, live, prices, isDisabled } = props
  const { sell, buy, kind, limit } = draft
  const expected = draft.type === 'limit' ? limit : offer ? toExpected(offer.quote) : undefined
  const typeName = useId()
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
    <form class="panel" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="trade-form" disabled={isDisabled}>
        <legend class="visually-hidden">What to trade</legend>
        <fieldset class="segments">
          <legend class="visually-hidden">Type of the order</legend>
          {Object.entries(types).map(([type, label]) => (
            <label key={type}>
              <input
                type="radio"
                name={typeName}
                checked={terms.type === type}
                onChange={() => change({ type: type as TradeTerms['type'], validFor: null })}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <AmountRow
          {...toRow('sell', sell)}
          side="sell"
          tokens={sellTokens}
          onToken={(token) => change(token === terms.buy ? toSwapped(terms, network) : { sell: token })}
        />
        <p class="swap">
          <button type="button" onClick={() => change(toSwapped(terms, network))}>
            <span aria-hidden="true">⇅</span> Swap the tokens
          </button>
        </p>
        <AmountRow
          {...toRow('buy', buy)}
          side="buy"
          tokens={buyTokens}
          onToken={(token) => change(token === terms.sell ? toSwapped(terms, network) : { buy: token })}
        />
        {terms.type === 'limit' && <PriceRow terms={terms} change={change} draft={draft} offer={offer} />}
        <MoreTerms terms={terms} change={change} draft={draft} quote={offer?.quote ?? null} />
      </fieldset>
    </form>
  )
}

/** The exact amount and the price stay with their tokens. The native token cannot be sold, the wrapped one can. */
const toSwapped = ({ sell, buy, kind, per }: TradeTerms, { wrappedNative }: Network): Partial<TradeTerms> => ({
  sell: buy === nativeSentinel ? wrappedNative : buy,
  buy: sell,
  kind: kind === 'sell' ? 'buy' : 'sell',
  per: per === 'sell' ? 'buy' : 'sell',
})
