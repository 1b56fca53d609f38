import { useState } from 'preact/hooks'
import { Dialog } from '../../ui/elements/Dialog.tsx'
import { Icon } from '../../ui/elements/Icon.tsx'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { shorten } from '../../ui/shorten.ts'
import { TokenLogo } from '../logos/TokenLogo.tsx'
import type { Token } from '../token.ts'
import { TokenSearch, type TokenSearchProps } from './TokenSearch.tsx'
import './tokenPicker.css'

type Props = TokenSearchProps & {
  /** the selected one; undefined: none, or not yet loaded */
  token: Token | undefined
  /** id of the error text of the field, if any */
  faultId?: string | undefined
}

/** A button with the selected token, which opens a dialog with all others. */
export const TokenPicker = ({ token, faultId, ...search }: Props) => {
  const { network, label, value, onChoose } = search
  const [isOpen, setIsOpen] = useState(false)
  const symbol = token?.symbol ?? shorten(value)
  const choose = (address: string) => {
    setIsOpen(false)
    onChoose(address)
  }
  return (
    <>
      <button
        type="button"
        class={value === '' ? 'token-button empty' : 'token-button'}
        aria-label={`${label}: ${value === '' ? 'Select token' : symbol}`}
        aria-haspopup="dialog"
        aria-describedby={faultId}
        onClick={() => setIsOpen(true)}
      >
        {value === '' ? (
          'Select token'
        ) : (
          <>
            <TokenLogo network={network} token={token ?? { address: value }} size={28} />
            <span class="token-button-symbol">{token ? symbol : <Skeleton width="2.5rem" />}</span>
          </>
        )}
        <Icon name="chevron" size={18} />
      </button>
      <Dialog title={label} isOpen={isOpen} close={() => setIsOpen(false)}>
        <TokenSearch {...search} onChoose={choose} />
      </Dialog>
    </>
  )
}
