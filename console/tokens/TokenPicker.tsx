import type { TargetedKeyboardEvent } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { shorten } from '../ui/shorten.ts'
import { filterTokens, isTypedAddress } from './filterTokens.ts'
import { TokenOption } from './TokenOption.tsx'
import type { Token } from './tokenBook.ts'
import { useTokenLookup } from './useTokenLookup.ts'
import './tokenPicker.css'

type Props = {
  network: Network
  label: string
  /** options */
  tokens: readonly Token[]
  /** the selected one; undefined: none, or not yet loaded */
  token: Token | undefined
  /** address of the selected one; empty: none */
  value: string
  onChoose: (address: string) => void
  /** balances of the connected account, atoms; undefined: unknown */
  findBalance: (address: string) => bigint | undefined
  /** id of the error text of the field, if any */
  faultId?: string | undefined
}

/**
 * Selects a token by symbol, name or address (WAI-ARIA combobox with a listbox). A pasted address is looked up when it
 * is not in the list.
 */
export const TokenPicker = (props: Props) => {
  const { network, label, tokens, token, value, onChoose, findBalance, faultId } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const isOpen = typed !== null
  const pasted = isTypedAddress(typed ?? '') ? (typed ?? '').trim().toLowerCase() : ''
  const lookup = useTokenLookup(network, pasted, tokens)
  const listed = filterTokens(tokens, typed ?? '')
  const options = listed.length === 0 && lookup.state === 'known' ? [lookup.token] : listed
  const current = Math.min(active, options.length - 1)

  const close = () => setTyped(null)
  const choose = (chosen: Token | undefined) => {
    if (chosen) onChoose(chosen.address)
    close()
  }
  const move = (to: number) => {
    if (!isOpen) setTyped('')
    const next = Math.max(0, Math.min(to, options.length - 1))
    setActive(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(isOpen ? current + 1 : 0),
      ArrowUp: () => move(isOpen ? current - 1 : 0),
      Enter: () => (isOpen ? choose(options[current]) : move(0)),
      Escape: close,
    }
    const action = actions[event.key]
    if (!action || (event.key === 'Escape' && !isOpen)) return
    event.preventDefault()
    action()
  }

  return (
    <div class="token-picker">
      <label for={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${id}-${current}` : undefined}
        aria-invalid={faultId !== undefined}
        aria-describedby={faultId}
        autocomplete="off"
        spellcheck={false}
        placeholder="Symbol or address"
        value={typed ?? toLabel(token, value)}
        // typing replaces the selected text
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => isOpen || move(0)}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div id={`${id}-list`} ref={list} role="listbox" aria-label={label} hidden={!isOpen}>
        {options.map((option, index) => (
          <TokenOption
            key={option.address}
            id={`${id}-${index}`}
            token={option}
            balance={findBalance(option.address)}
            isActive={index === current}
            isChosen={option.address === value}
            onChoose={() => choose(option)}
          />
        ))}
      </div>
      <span class="visually-hidden" role="status">
        {isOpen ? describe(options.length, lookup.state) : ''}
      </span>
      {isOpen && options.length === 0 && <p class="token-picker-empty">{describe(0, lookup.state)}</p>}
    </div>
  )
}

const toLabel = (token: Token | undefined, address: string): string => token?.symbol ?? shorten(address)

const describe = (count: number, lookup: string): string => {
  if (count > 0) return count === 1 ? '1 token' : `${count} tokens`
  if (lookup === 'loading') return 'Asking what this token is …'
  if (lookup === 'unknown') return 'There is no token at this address.'
  return 'No token of the list fits. Paste an address to use another one.'
}
