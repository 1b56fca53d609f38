import type { Network } from '../../networks/NetworksProvider.tsx'
import { Icon } from '../../ui/elements/Icon.tsx'
import { formatAmount } from '../../ui/formatAmount.ts'
import { formatUsd } from '../../ui/formatUsd.ts'
import { shorten } from '../../ui/shorten.ts'
import { TokenLogo } from '../logos/TokenLogo.tsx'
import type { Token } from '../token.ts'

type Props = {
  network: Network
  id: string
  token: Token
  /** atoms; undefined: unknown */
  balance: bigint | undefined
  /** US dollars for a whole token; undefined: unknown */
  usdPrice: number | undefined
  isListed: boolean
  isFavourite: boolean
  isActive: boolean
  isChosen: boolean
  onChoose: () => void
}

/** A token option. The focus stays in the text field, which names the active option. */
export const TokenOption = (props: Props) => {
  const { network, id, token, balance, usdPrice, isListed, isFavourite, isActive, isChosen, onChoose } = props
  const { address, symbol, name, decimals } = token
  const isHeld = balance !== undefined && decimals !== undefined && balance > 0n
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox, which points here
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      class={isActive ? 'active' : undefined}
      // the focus stays in the field
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <TokenLogo network={network} token={token} size={36} />
      <span class="names">
        <span class="symbol">
          {symbol ?? shorten(address)}
          {isFavourite && (
            <>
              <Icon name="star" size={12} isFilled />
              <span class="visually-hidden">favourite</span>
            </>
          )}
        </span>
        <span class="name">{name}</span>
        {!isListed && <span class="name">{shorten(address)}</span>}
      </span>
      {isHeld && (
        <span class="holding">
          <span class="number">{formatAmount(balance, decimals)}</span>
          {usdPrice !== undefined && <span class="number name">{formatUsd(balance, decimals, usdPrice)}</span>}
        </span>
      )}
      {isChosen && <Icon name="check" size={18} />}
    </div>
  )
}
