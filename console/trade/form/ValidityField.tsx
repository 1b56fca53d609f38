import { useId, useState } from 'preact/hooks'
import type { Draft } from '../draft/draft.ts'
import type { OrderType } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { findValidityChoices, validityChoices } from '../draft/validity.ts'

type Props = { type: OrderType; change: ChangeTerms; draft: Draft }

const custom = 'custom'
const minuteMs = 60_000
/** Seconds: one year. */
const longest = 31_536_000

/** Validity of the order: a common time, or until any date. */
export const ValidityField = ({ type, change, draft: { validFor } }: Props) => {
  const id = useId()
  const [isTyping, setIsTyping] = useState(false)
  const isCommon = validityChoices[type].some(({ seconds }) => seconds === validFor)
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
        {findValidityChoices({ type, validFor }).map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
        <option value={custom}>Until a date …</option>
      </select>
      {(isTyping || !isCommon) && (
        <input
          type="datetime-local"
          aria-label="Valid until"
          min={toLocal(Date.now() + minuteMs)}
          max={toLocal(Date.now() + longest * 1_000)}
          value={toLocal(Date.now() + validFor * 1_000)}
          onChange={({ currentTarget: { value } }) => {
            const seconds = Math.round((Date.parse(value) - Date.now()) / 1_000)
            if (seconds >= 60 && seconds <= longest) change({ validFor: seconds })
          }}
        />
      )}
    </div>
  )
}

/** Local time as the input has it: `2026-12-04T12:00`. @param time Unix milliseconds */
const toLocal = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
