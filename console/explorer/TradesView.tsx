import { useLocation } from 'preact-iso'
import { NetworkTrades } from '../lists/NetworkTrades.tsx'
import { readToken } from '../lists/readFilter.ts'
import { TokenFilter } from '../lists/TokenFilter.tsx'
import type { Network } from '../networks/NetworksProvider.tsx'

/** Trades of a network, newest first. */
export const TradesView = ({ network }: { network: Network }) => (
  <>
    <div class="filters">
      <TokenFilter />
    </div>
    <NetworkTrades network={network} token={readToken(useLocation().query.token)} limit={25} />
  </>
)
