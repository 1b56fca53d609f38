import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useNetwork, useNetworks } from '../networks/NetworksProvider.tsx'
import { findSearchTarget } from '../networks/target/findSearchTarget.ts'
import { toTargetPath } from '../networks/target/toTargetPath.ts'
import { Icon } from '../ui/elements/Icon.tsx'
import './search.css'

type SuggestionsOf = typeof import('./SearchSuggestions.tsx').SearchSuggestions

/** Opens the page of an order, transaction, account, auction, token or pair; suggests them while a text is typed. */
export const SearchBox = () => {
  const { route } = useLocation()
  const networks = useNetworks()
  const { name: current } = useNetwork()
  const [hint, setHint] = useState<string | null>(null)
  // on phones the field is shown on request
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const [Suggestions, setSuggestions] = useState<SuggestionsOf | null>(null)
  // with the first visit to the field; without them an id is found as well
  const loadSuggestions = () =>
    import('./SearchSuggestions.tsx').then(
      (loaded) => setSuggestions(() => loaded.SearchSuggestions),
      () => undefined,
    )
  const input = useRef<HTMLInputElement>(null)
  const hintId = useId()
  // before the next frame, in which letters may be typed
  useLayoutEffect(() => {
    if (isOpen) input.current?.focus()
  }, [isOpen])
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const target = findSearchTarget(text)
    // a text that is no id means the first suggestion
    const first = form.querySelector<HTMLAnchorElement>('.search-suggestions a')
    if (target.kind === 'nothing' && !first) return setHint(target.hint)
    close()
    route(target.kind === 'nothing' ? (first?.getAttribute('href') ?? '/') : toTargetPath(target, networks, current))
  }
  const close = () => {
    setHint(null)
    setText('')
    setIsOpen(false)
  }
  return (
    <>
      <button
        type="button"
        class="search-opener icon-button"
        aria-label="Search"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'cross' : 'search'} />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers do not know the element `search` for long enough */}
      <form
        role="search"
        class={isOpen ? 'search open' : 'search'}
        onSubmit={search}
        onKeyDown={({ key }) => key === 'Escape' && setText('')}
      >
        <Icon name="search" size={18} />
        <input
          ref={input}
          type="search"
          name="search"
          aria-label="Search an order, transaction, account, auction or pair"
          placeholder="Token, order, account"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={hint !== null}
          aria-describedby={hintId}
          value={text}
          onFocus={loadSuggestions}
          onInput={({ currentTarget }) => {
            setHint(null)
            setText(currentTarget.value)
          }}
        />
        <p id={hintId} class="search-hint" role="alert">
          {hint}
        </p>
        {Suggestions && text.trim() !== '' && hint === null && (
          <Suggestions network={current} text={text} onChoose={close} />
        )}
      </form>
    </>
  )
}
