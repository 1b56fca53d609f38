import { useEffect, useRef } from 'preact/hooks'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Dialog } from '../ui/elements/Dialog.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { Identicon } from '../ui/elements/Identicon.tsx'
import { shorten } from '../ui/shorten.ts'
import { useWallet } from './WalletProvider.tsx'
import './wallet.css'

/** Chooses the wallet to connect. */
export const WalletDialog = () => {
  const { choices, connect, giveUp, failure, isBusy, isChoosing, closeChoices } = useWallet()
  const wasOpen = useRef(false)
  // the button that opened the dialog may be gone once a wallet is connected
  useEffect(() => {
    if (wasOpen.current && !isChoosing && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
    wasOpen.current = isChoosing
  }, [isChoosing])
  const close = () => {
    giveUp()
    closeChoices()
  }
  return (
    <Dialog title="Connect a wallet" isOpen={isChoosing} close={close}>
      {choices.length === 0 ? (
        <p class="muted">
          No wallet found in this browser. Install a browser wallet that supports EIP-6963, then reload this page.
        </p>
      ) : (
        <ul class="wallet-choices">
          {choices.map((choice) => (
            <li key={choice.rdns + choice.address}>
              <button
                type="button"
                disabled={isBusy}
                onClick={async () => {
                  if (await connect(choice)) closeChoices()
                }}
              >
                {choice.icon ? (
                  <img src={choice.icon} alt="" width="28" height="28" />
                ) : choice.address ? (
                  <Identicon of={choice.address} size={28} />
                ) : (
                  <Icon name="wallet" size={28} />
                )}
                <span>{choice.name}</span>
                {choice.address && <code>{shorten(choice.address)}</code>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" class="fine">
        {isBusy ? 'Waiting for your wallet. Check its window, or close this dialog to choose another wallet.' : ''}
      </p>
      <ErrorNotice text={failure} />
      <p class="fine">Connecting shares your address. It does not allow the page to spend anything.</p>
    </Dialog>
  )
}
