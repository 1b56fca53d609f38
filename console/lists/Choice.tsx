import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'

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
