import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { HexText } from '../ui/HexText.tsx'
import { focusWallet } from './focusWallet.ts'
import { useWallet } from './WalletProvider.tsx'
import './wallet.css'

type Props = { network: Network; openChoices: () => void }

/** The connected account and wallet. */
export const WalletPanel = ({ network, openChoices }: Props) => {
  const { connection, failure, isBusy, disconnect, switchChain } = useWallet()
  return (
    <section id="wallet" class="wallet panel" aria-label="Wallet" tabIndex={-1}>
      {connection ? (
        <>
          <p class="wallet-name">
            {connection.choice.icon && <img src={connection.choice.icon} alt="" width="24" height="24" />}
            <span>
              Connected: <strong>{connection.choice.name}</strong>
            </span>
            <HexText
              value={connection.address}
              label="address"
              href={paths.account(network.name, connection.address)}
            />
          </p>
          <button
            type="button"
            onClick={() => {
              focusWallet()
              disconnect()
            }}
          >
            Disconnect
          </button>
        </>
      ) : (
        <>
          <p>No wallet is connected. Quotes work without one.</p>
          <button type="button" onClick={openChoices}>
            Connect a wallet
          </button>
        </>
      )}
      {connection && connection.chainId !== network.chainId && (
        <div class="notice warning">
          <p>
            Your wallet is on another network (chain id {connection.chainId}). Orders of this page are for{' '}
            {network.label} (chain id {network.chainId}).
          </p>
          <button type="button" disabled={isBusy} onClick={switchChain}>
            Switch the wallet to {network.label}
          </button>
        </div>
      )}
      {connection && failure && (
        <p class="notice error" role="alert">
          {failure}
        </p>
      )}
    </section>
  )
}
