import { useId } from 'preact/hooks'
import { NumberInput } from '../../ui/elements/NumberInput.tsx'
import { localize } from '../../ui/numbers.ts'
import type { Draft } from '../draft/draft.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import type { Quote } from '../quote/quote.ts'
import { toSlippageBps } from '../quote/toSlippageBps.ts'
import { maxLossShare } from '../signing/findLossGuard.ts'
import { ValidityField } from './ValidityField.tsx'

export type LossCap = {
  /** losses above the cap may be accepted */
  isUncapped: boolean
  setUncapped: (isUncapped: boolean) => void
}

type Props = { terms: TradeTerms; change: ChangeTerms; draft: Draft; quote: Quote | null } & LossCap

/** Rarely changed terms. */
export const SettingsFields = ({ terms, change, draft, quote, isUncapped, setUncapped }: Props) => {
  const { faults, isPartiallyFillable } = draft
  const id = useId()
  const slippageBps = toSlippageBps(draft, quote)
  const isNamed = draft.receiver !== null && draft.receiver !== terms.receiver.trim().toLowerCase()
  return (
    <div class="settings-fields">
      {terms.type === 'market' && (
        <div class="field">
          <label for={`${id}-slippage`}>Max. slippage, %</label>
          <NumberInput
            id={`${id}-slippage`}
            placeholder={slippageBps === undefined ? 'Auto' : `Auto: ${localize(String(slippageBps / 100))}`}
            value={terms.slippage}
            onValue={(slippage) => change({ slippage })}
            aria-invalid={faults.slippage !== undefined}
            aria-describedby={`${id}-slippage-hint`}
          />
          <p id={`${id}-slippage-hint`} class={faults.slippage ? 'fault' : 'fine'}>
            {faults.slippage ??
              (terms.slippage === ''
                ? 'Auto covers changes of the price and the network cost.'
                : 'The order fills at most this much below the quote.')}
          </p>
        </div>
      )}
      {terms.type !== 'twap' && <ValidityField type={terms.type} change={change} draft={draft} />}
      <div class="field wide-field">
        <label for={`${id}-receiver`}>Recipient</label>
        <input
          id={`${id}-receiver`}
          autocomplete="off"
          spellcheck={false}
          placeholder="Your account; an address or a name"
          value={terms.receiver}
          aria-invalid={faults.receiver !== undefined}
          aria-describedby={faults.receiver ? `${id}-receiver-fault` : isNamed ? `${id}-receiver-address` : undefined}
          onInput={(event) => change({ receiver: event.currentTarget.value })}
        />
        {isNamed && (
          <p id={`${id}-receiver-address`} class="fine receiver-address">
            {draft.receiver}
          </p>
        )}
        {faults.receiver && (
          <p id={`${id}-receiver-fault`} class="fault">
            {faults.receiver}
          </p>
        )}
      </div>
      {terms.type !== 'twap' && (
        <label class="check wide-field">
          <input
            type="checkbox"
            checked={isPartiallyFillable}
            onChange={(event) => change({ isPartiallyFillable: event.currentTarget.checked })}
          />
          Allow partial fills
        </label>
      )}
      <label class="check wide-field">
        <input type="checkbox" checked={isUncapped} onChange={(event) => setUncapped(event.currentTarget.checked)} />
        Allow losses above {maxLossShare * 100} %
      </label>
    </div>
  )
}
