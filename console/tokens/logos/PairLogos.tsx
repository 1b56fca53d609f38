import type { Network } from '../../networks/NetworksProvider.tsx'
import { useToken } from '../useToken.ts'
import { TokenLogo } from './TokenLogo.tsx'

type Props = { network: Network /** addresses, lower case */; sell: string; buy: string; size?: number }

/** The logos of both tokens of an order, decorative: its text names them. */
export const PairLogos = ({ network, sell, buy, size = 32 }: Props) => {
  const [sold, bought] = [useToken(network, sell), useToken(network, buy)]
  return (
    <span class="pair-logos" aria-hidden="true">
      <TokenLogo network={network} token={sold ?? { address: sell }} size={size} />
      <TokenLogo network={network} token={bought ?? { address: buy }} size={size} />
    </span>
  )
}
