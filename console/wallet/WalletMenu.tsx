import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { Chip } from '../ui/elements/Chip.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { Identicon } from '../ui/elements/Identicon.tsx'
import { Popover } from '../ui/elements/Popover.tsx'
import { HexText } from '../ui/HexText.tsx'
import { AccountName } from './AccountName.tsx'
import type { Connection } from './connection/openConnection.ts'
import { useWallet } from './WalletProvider.tsx'
import './wallet.css'

/** The connected account in the header, or the button that connects one. */
export const WalletMenu = ({ network }: { network: Network }) => {
  const { connection, openChoices } = useWallet()
  if (!connection)
    return (
      <button type="button" id="wallet" class="primary wallet-button" onClick={openChoices}>
        Connect<span class="wide-only"> wallet</span>
      </button>
    )
  const { address, chainId } = connection
  const isWrong = chainId !== network.chainId
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`
  return (
    <Popover
      label={`Account ${short}${isWrong ? ', wrong network' : ''}`}
      title={address}
      class={isWrong ? 'pill wallet-pill wrong' : 'pill wallet-pill'}
      button={
        <>
          {isWrong ? <Icon name="alert" size={18} /> : <Identicon of={address} size={20} />}
          <span>{isWrong ? 'Wrong network' : short}</span>
        </>
      }
    >
      {(close) => <Account network={network} connection={connection} isWrong={isWrong} close={close} />}
    </Popover>
  )
}

type AccountProps = { network: Network; connection: Connection; isWrong: boolean; close: () => void }

const Account = ({ network, connection: { address, choice, chainId }, isWrong, close }: AccountProps) => {
  const { disconnect, switchChain, isBusy } = useWallet()
  return (
    <div class="wallet-account">
      <p class="wallet-name">
        {choice.icon ? <img src={choice.icon} alt="" width="24" height="24" /> : <Icon name="wallet" />}
        <span>
          Connected: <strong>{choice.name}</strong>
        </span>
      </p>
      <p class="wallet-name">
        <Identicon of={address} size={24} />
        <HexText value={address} label="address" href={paths.account(network.name, address)} />
        <AccountName network={network} address={address} />
      </p>
      {isWrong && (
        <div class="notice warning">
          <p>
            <Chip tone="act">Wrong network</Chip>
          </p>
          <p>
            Your wallet is on chain {chainId}; {network.label} is chain {network.chainId}.
          </p>
          <button type="button" class="small" disabled={isBusy} onClick={switchChain}>
            Switch to {network.label}
          </button>
        </div>
      )}
      <div class="actions">
        <a class="button small" href={paths.account(network.name, address)} onClick={close}>
          Orders and history
        </a>
        <button type="button" class="small" onClick={disconnect}>
          Disconnect
        </button>
      </div>
    </div>
  )
}
