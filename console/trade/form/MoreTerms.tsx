import { useId, useState } from 'preact/hooks'
import type { Draft } from '../draft/draft.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { findValidityChoices } from '../draft/validity.ts'
import type { Quote } from '../quote/quote.ts'
import { toSlippageBps } from '../quote/toSlippageBps.ts'

type Props = { terms: TradeTerms; change: ChangeTerms; draft: Draft; quote: Quote | null }

/** Rarely changed terms. */
export const MoreTerms = ({ terms, change, draft, quote }: Props) => {
  const { faults, validFor, isPartiallyFillable, receiver } = draft
  const [isOpenAtFirst] = useState(terms.slippage !== '' || terms.receiver !== '' || terms.isPartiallyFillable)
  const id = useId()
  const slippageBps = toSlippageBps(draft, quote)
  const slippage = slippageBps === undefined ? 'automatic' : `${slippageBps / 100} %`
  const choices = findValidityChoices(terms)
  const parts = [
    terms.type === 'market' ? `slippage ${slippage}` : '',
    `valid for ${choices.find(({ seconds }) => seconds === validFor)?.label}`,
    isPartiallyFillable ? 'fills in parts' : '',
    receiver ? 'for another account' : '',
  ]
  return (
    <details class="more-terms" open={isOpenAtFirst}>
      <summary>More: {parts.filter((part) => part !== '').join(', ')}</summary>
      <div class="more-fields">
        {terms.type === 'market' && (
          <div class="field">
            <label for={`${id}-slippage`}>Slippage, percent</label>
            <input
              id={`${id}-slippage`}
              inputMode="decimal"
              autocomplete="off"
              placeholder={slippageBps === undefined ? 'Automatic' : String(slippageBps / 100)}
              value={terms.slippage}
              aria-invalid={faults.slippage !== undefined}
              aria-describedby={`${id}-slippage-hint`}
              onInput={(event) => change({ slippage: event.currentTarget.value })}
            />
            <p id={`${id}-slippage-hint`} class={faults.slippage ? 'fault' : 'fine'}>
              {faults.slippage ??
                (terms.slippage === ''
                  ? 'Automatic: enough for changes of the price and the network fee until the trade settles.'
                  : 'How much worse than the offer the trade may be.')}
            </p>
          </div>
        )}
        <div class="field">
          <label for={`${id}-valid`}>Valid for</label>
          <select
            id={`${id}-valid`}
            value={validFor}
            onChange={(event) => change({ validFor: Number(event.currentTarget.value) })}
          >
            {choices.map(({ seconds, label }) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={`${id}-receiver`}>Receiver of what is bought</label>
          <input
            id={`${id}-receiver`}
            autocomplete="off"
            spellcheck={false}
            placeholder="Your own account"
            value={terms.receiver}
            aria-invalid={faults.receiver !== undefined}
            aria-describedby={faults.receiver ? `${id}-receiver-fault` : undefined}
            onInput={(event) => change({ receiver: event.currentTarget.value })}
          />
          {faults.receiver && (
            <p id={`${id}-receiver-fault`} class="fault">
              {faults.receiver}
            </p>
          )}
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={isPartiallyFillable}
            onChange={(event) => change({ isPartiallyFillable: event.currentTarget.checked })}
          />
          May be filled in parts
        </label>
      </div>
    </details>
  )
}
