import type { Network } from '../networks/NetworksProvider.tsx'
import { TokenLogo } from '../tokens/logos/TokenLogo.tsx'
import { toNative } from '../tokens/toNative.ts'
import { useListedTokens } from '../tokens/useListedTokens.ts'
import { Identicon } from '../ui/elements/Identicon.tsx'
import { sampleAddresses } from './sampleAddresses.ts'

/** Logos of listed and of unknown tokens, and identicons. */
export const LogoSamples = ({ network }: { network: Network }) => (
  <section class="panel">
    <h2>Logos</h2>
    <p class="design-row">
      {[toNative(network), ...useListedTokens(network.name)].map((token) => (
        <span key={token.address} class="design-swatch">
          <TokenLogo network={network} token={token} size={40} />
          {token.symbol}
        </span>
      ))}
      {sampleAddresses.map((address) => (
        <TokenLogo key={address} network={network} token={{ address, symbol: 'USDC' }} size={40} />
      ))}
      {sampleAddresses.map((address) => (
        <Identicon key={address} of={address} size={40} />
      ))}
    </p>
  </section>
)
