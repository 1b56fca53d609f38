import type { TargetedKeyboardEvent } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { Icon } from '../../ui/elements/Icon.tsx'
import { isListed } from '../isListed.ts'
import { nativeSentinel } from '../nativeSentinel.ts'
import type { Token } from '../token.ts'
import { useTokenLookup } from '../useTokenLookup.ts'
import { useUsdPrices } from '../useUsdPrices.ts'
import { readFavourites, toggleFavourite } from './favouriteTokens.ts'
import { filterTokens, isTypedAddress } from './filterTokens.ts'
import { rankTokens } from './rankTokens.ts'
import { TokenOption } from './TokenOption.tsx'

export type TokenSearchProps = {
  network: Network
  label: string
  /** options */
  tokens: readonly Token[]
  /** address of the selected one; empty: none */
  value: string
  onChoose: (address: string) => void
  /** balances of the connected account, atoms; undefined: unknown */
  findBalance: (address: string) => bigint | undefined
}

/** Tokens with requested prices. */
const maxPriced = 60

/**
 * Finds a token by symbol, name or address (WAI-ARIA combobox with a listbox). A pasted address is looked up when it is
 * not in the list.
 */
export const TokenSearch = ({ network, label, tokens, value, onChoose, findBalance }: TokenSearchProps) => {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [favourites, setFavourites] = useState(() => readFavourites(network.name))
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const held = tokens.filter(({ address }) => (findBalance(address) ?? 0n) > 0n).slice(0, maxPriced)
  const prices = useUsdPrices(
    network,
    held.map(({ address }) => address),
  )
  const pasted = isTypedAddress(typed) ? typed.trim().toLowerCase() : ''
  const lookup = useTokenLookup(network, pasted, tokens)
  const findValue = (address: string): number | undefined => {
    const [balance, price] = [findBalance(address), prices?.get(address)]
    const decimals = tokens.find((token) => token.address === address)?.decimals
    if (balance === undefined || price === undefined || decimals === undefined) return undefined
    return (Number(balance) / 10 ** decimals) * price
  }
  const matching = filterTokens(tokens, typed)
  // a typed text ranks by how well it fits
  const listed = typed.trim() === '' ? rankTokens(matching, { favourites, findValue, findBalance }) : matching
  const options = listed.length === 0 && lookup.state === 'known' ? [lookup.token] : listed
  const current = Math.min(active, options.length - 1)
  const chosen = options[current]

  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, options.length - 1))
    setActive(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(current + 1),
      ArrowUp: () => move(current - 1),
      Enter: () => chosen && onChoose(chosen.address),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
  const isFavourite = chosen !== undefined && favourites.includes(chosen.address)
  return (
    <div class="token-search">
      <div class="token-search-field">
        <Icon name="search" />
        <input
          // the dialog gives it the focus as it opens: an effect would come a frame later, after typed letters
          autofocus
          role="combobox"
          aria-label={label}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${id}-${current}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder="Search a name or paste an address"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} ref={list} role="listbox" aria-label={label} hidden={options.length === 0}>
        {options.map((option, index) => (
          <TokenOption
            key={option.address}
            network={network}
            id={`${id}-${index}`}
            token={option}
            balance={findBalance(option.address)}
            usdPrice={prices?.get(option.address)}
            isListed={isListed(tokens, option.address)}
            isFavourite={favourites.includes(option.address)}
            isActive={index === current}
            isChosen={option.address === value}
            onChoose={() => onChoose(option.address)}
          />
        ))}
      </div>
      {options.length === 0 && <p class="token-search-empty">{describe(0, lookup.state)}</p>}
      <p class="visually-hidden" role="status">
        {describe(options.length, lookup.state)}
      </p>
      {chosen && chosen.address !== nativeSentinel && (
        <button
          type="button"
          class="small token-search-favourite"
          aria-pressed={isFavourite}
          onClick={() => setFavourites(toggleFavourite(network.name, chosen.address))}
        >
          <Icon name="star" size={14} isFilled={isFavourite} />{' '}
          {isFavourite
            ? `Remove ${chosen.symbol ?? 'it'} from favourites`
            : `Add ${chosen.symbol ?? 'it'} to favourites`}
        </button>
      )}
    </div>
  )
}

const describe = (count: number, lookup: string): string => {
  if (count > 0) return count === 1 ? '1 token' : `${count} tokens`
  if (lookup === 'loading') return 'Looking up this token …'
  if (lookup === 'unknown') return 'There is no token at this address.'
  return 'No listed token matches. Paste an address to use another one.'
}
