import { useId } from 'preact/hooks'
import './segmented.css'

type Props<Value extends string> = {
  /** name of the choice for screen readers */
  label: string
  choices: Readonly<Partial<Record<Value, string>>>
  value: Value
  onChoose: (value: Value) => void
  isDisabled?: boolean
}

/** One of few choices, side by side: radio buttons in one bar. */
export const Segmented = <Value extends string>({ label, choices, value, onChoose, isDisabled }: Props<Value>) => {
  const name = useId()
  return (
    <fieldset class="segmented" disabled={isDisabled}>
      <legend class="visually-hidden">{label}</legend>
      {(Object.entries(choices) as [Value, string][]).map(([choice, text]) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === value} onChange={() => onChoose(choice)} />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
