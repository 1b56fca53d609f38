import { formatAmount } from '../ui/formatAmount.ts'
import { shorten } from '../ui/shorten.ts'
import type { Token } from './tokenBook.ts'

type Props = {
  id: string
  token: Token
  /** atoms; undefined: unknown */
  balance: bigint | undefined
  isActive: boolean
  isChosen: boolean
  onChoose: () => void
}

/** A token option. The focus stays in the text field, which names the active option. */
export const TokenOption = ({ id, token, balance, isActive, isChosen, onChoose }: Props) => {
  const { address, symbol, name, decimals } = token
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus and points here
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      class={isActive ? 'active' : undefined}
      // before the field loses the focus, which closes the list
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span class="symbol">{symbol ?? shorten(address)}</span>
      {balance !== undefined && decimals !== undefined && (
        <span class="number balance">{formatAmount(balance, decimals)}</span>
      )}
      <span class="name">{name}</span>
      <code class="address">{shorten(address)}</code>
    </div>
  )
}
