import { useEffect, useRef } from 'preact/hooks'
import { shorten } from '../ui/shorten.ts'
import type { WalletChoice } from './ethereumProvider.ts'
import { focusWallet } from './focusWallet.ts'
import { useWallet } from './WalletProvider.tsx'

type Props = { isOpen: boolean; close: () => void }

/** Chooses the wallet to connect. */
export const WalletDialog = ({ isOpen, close }: Props) => {
  const { choices, connect, giveUp, failure, isBusy } = useWallet()
  const dialog = useRef<HTMLDialogElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  const choose = async (choice: WalletChoice) => {
    if (!(await connect(choice))) return
    close()
    isDone.current = true
  }
  // the dialog returns the focus to its button, which disappears once a wallet is connected
  const onClose = () => {
    giveUp()
    close()
    if (isDone.current) focusWallet()
    isDone.current = false
  }
  return (
    <dialog ref={dialog} class="wallet-dialog" aria-labelledby="wallet-dialog-title" onClose={onClose}>
      <h2 id="wallet-dialog-title">Connect a wallet</h2>
      {choices.length === 0 ? (
        <p>
          No wallet was found in this browser. Install a browser wallet that announces itself (EIP-6963), then reload
          this page.
        </p>
      ) : (
        <ul>
          {choices.map((choice) => (
            <li key={choice.rdns + choice.address}>
              <button type="button" disabled={isBusy} onClick={() => choose(choice)}>
                {choice.icon && <img src={choice.icon} alt="" width="24" height="24" />}
                <span>{choice.name}</span>
                {choice.address && <code>{shorten(choice.address)}</code>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status">
        {isBusy ? 'Waiting for your wallet. Look whether it shows a window, or close this to choose another one.' : ''}
      </p>
      {isOpen && failure && (
        <p class="notice error" role="alert">
          {failure}
        </p>
      )}
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  )
}
