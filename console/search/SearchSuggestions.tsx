import type { Network } from '../networks/NetworksProvider.tsx'
import { useListedTokens } from '../tokens/useListedTokens.ts'
import { findSuggestions } from './findSuggestions.ts'

type Props = { network: Network['name']; text: string /** closes the field */; onChoose: () => void }

/** Links to the pages that the typed text may mean; the tokens of the network load with the first letter. */
export const SearchSuggestions = ({ network, text, onChoose }: Props) => {
  const suggestions = findSuggestions(text, network, useListedTokens(network))
  if (suggestions.length === 0) return null
  return (
    <ul class="search-suggestions" aria-label="Suggestions">
      {suggestions.map(({ kind, name, path }) => (
        <li key={path}>
          <a href={path} onClick={onChoose}>
            <span>{name}</span> <span class="muted">{kind}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
