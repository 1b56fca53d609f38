import { useId, useState } from 'preact/hooks'
import type { Draft } from '../draft/draft.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { findValidityChoices, validityChoices } from '../draft/validity.ts'

type Props = { terms: TradeTerms; change: ChangeTerms; draft: Draft }

const custom = 'custom'
const minute = 60
/** Minutes: one year. */
const longest = 525_600

/** Validity of the order: a common time, or any number of minutes. */
export const ValidityField = ({ terms, change, draft: { validFor } }: Props) => {
  const id = useId()
  const [isTyping, setIsTyping] = useState(false)
  const isCommon = validityChoices[terms.type].some(({ seconds }) => seconds === validFor)
  return (
    <div class="field">
      <label for={id}>Valid for</label>
      <select
        id={id}
        value={isTyping ? custom : validFor}
        onChange={({ currentTarget: { value } }) => {
          setIsTyping(value === custom)
          if (value !== custom) change({ validFor: Number(value) })
        }}
      >
        {findValidityChoices(terms).map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
        <option value={custom}>Custom …</option>
      </select>
      {(isTyping || !isCommon) && (
        <input
          type="number"
          aria-label="Minutes"
          placeholder="Minutes"
          min="1"
          max={longest}
          value={validFor % minute === 0 ? validFor / minute : ''}
          onInput={({ currentTarget: { value } }) => {
            const minutes = Math.trunc(Number(value))
            if (minutes >= 1 && minutes <= longest) change({ validFor: minutes * minute })
          }}
        />
      )}
    </div>
  )
}
