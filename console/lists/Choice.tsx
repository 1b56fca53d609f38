import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'

/** The choice that the address names, if it is one. */
export const readChoice = <Name extends string>(
  choices: Record<Name, string>,
  given: string | undefined,
): Name | undefined => (given !== undefined && Object.hasOwn(choices, given) ? (given as Name) : undefined)

type ChoiceProps = { name: string; label: string; choices: Record<string, string>; value: string | undefined }

/** A filter of few values. */
export const Choice = ({ name, label, choices, value }: ChoiceProps) => {
  const location = useLocation()
  const choose = (chosen: string) => location.route(withQuery(location, { [name]: chosen || null, cursor: null }))
  return (
    <label>
      <span>{label}</span>
      <select value={value ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">All</option>
        {Object.entries(choices).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
