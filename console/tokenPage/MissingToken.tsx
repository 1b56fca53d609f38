import { useTitle } from '../browser/useTitle.ts'
import { type Network, useNetworks } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import type { Token } from '../tokens/token.ts'
import { Icon } from '../ui/elements/Icon.tsx'

type Props = {
  network: Network
  address: string
  /** false: the text is not an address */
  isAddress: boolean
  listed: readonly Token[]
}

/** Shown for an address without a token: other places to look, and the listed tokens. */
export const MissingToken = ({ network, address, isAddress, listed }: Props) => {
  const others = useNetworks().filter(({ name }) => name !== network.name)
  useTitle('Token not found')
  return (
    <div class="page narrow">
      <h1>Token not found</h1>
      {isAddress ? (
        <p>
          The contract at <code class="break">{address}</code> on {network.label} is not a token, or it cannot be read
          now.
        </p>
      ) : (
        <p>
          <code class="break">{address}</code> is not an address: 0x and 40 hex digits.
        </p>
      )}
      {isAddress && (
        <p class="actions">
          <a class="button primary" href={paths.account(network.name, address)}>
            Open as an account
          </a>
          {others.map(({ name, label }) => (
            <a key={name} class="button outlined" href={paths.token(name, address)}>
              Look on {label}
            </a>
          ))}
          {network.explorerUrl !== null && (
            <a class="button outlined" href={`${network.explorerUrl}/address/${address}`}>
              Block explorer
              <Icon name="external" size={16} />
            </a>
          )}
        </p>
      )}
      {listed.length > 0 && (
        <>
          <h2 class="listed-tokens">Tokens on {network.label}</h2>
          <p class="actions">
            {listed.map((token) => (
              <a key={token.address} class="button outlined" href={paths.token(network.name, token.address)}>
                {token.symbol ?? token.address}
              </a>
            ))}
          </p>
        </>
      )}
    </div>
  )
}
