import { useId } from 'preact/hooks'
import { NumberInput } from '../../ui/elements/NumberInput.tsx'
import { localize } from '../../ui/numbers.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { findIntervals } from './describeTwap.ts'
import { type TwapTerms, twapDefaults } from './twapTerms.ts'

type Props = { terms: TradeTerms; twap: TwapTerms; change: ChangeTerms; isDisabled: boolean }

/** Number of parts, time between them, and how much less than now each may pay. */
export const TwapFields = ({ terms, twap: { every, faults }, change, isDisabled }: Props) => {
  const id = useId()
  return (
    <fieldset class="settings-fields twap-fields" disabled={isDisabled}>
      <legend class="visually-hidden">Parts</legend>
      <div class="field">
        <label for={`${id}-parts`}>Parts</label>
        <NumberInput
          id={`${id}-parts`}
          placeholder={String(twapDefaults.parts)}
          value={terms.parts}
          onValue={(parts) => change({ parts })}
          aria-invalid={faults.parts !== undefined}
          aria-describedby={faults.parts ? `${id}-parts-fault` : undefined}
        />
        {faults.parts && (
          <p id={`${id}-parts-fault`} class="fault">
            {faults.parts}
          </p>
        )}
      </div>
      <div class="field">
        <label for={`${id}-every`}>One part every</label>
        <select
          id={`${id}-every`}
          value={every}
          onChange={({ currentTarget: { value } }) => change({ every: Number(value) })}
        >
          {findIntervals(every).map(({ seconds, label }) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div class="field wide-field">
        <label for={`${id}-protection`}>Price protection, %</label>
        <NumberInput
          id={`${id}-protection`}
          placeholder={localize(String(twapDefaults.protectionBps / 100))}
          value={terms.protection}
          onValue={(protection) => change({ protection })}
          aria-invalid={faults.protection !== undefined}
          aria-describedby={`${id}-protection-hint`}
        />
        <p id={`${id}-protection-hint`} class={faults.protection ? 'fault' : 'fine'}>
          {faults.protection ?? 'A part fills only while the price is at most this much below the quote of now.'}
        </p>
      </div>
    </fieldset>
  )
}
