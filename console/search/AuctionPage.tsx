import { useTitle } from '../browser/useTitle.ts'
import { NetworkFinder } from '../networks/NetworkFinder.tsx'
import { useNetworks } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { isAuctionId } from '../networks/target/isAuctionId.ts'
import { useNamedNetwork } from '../networks/useNamedNetwork.ts'
import { loadCompetition } from '../order/competition/loadCompetition.ts'
import { AuctionView } from './AuctionView.tsx'

/** `/auctions/{id}`: solutions of an auction and the orders of its winners. */
export const AuctionPage = ({ id }: { id: string }) => {
  const network = useNamedNetwork()
  const networks = useNetworks()
  useTitle(`Auction ${id}`)
  if (!isAuctionId(id))
    return (
      <div class="page">
        <h1>Auction</h1>
        <p class="notice error">“{id}” is not an auction number (at most 15 digits).</p>
      </div>
    )
  return (
    <div class="page">
      {network ? (
        <AuctionView key={`${network.name} ${id}`} network={network} id={id} />
      ) : (
        <NetworkFinder
          networks={networks}
          what={`auction ${id}`}
          load={(name, signal) => loadCompetition(name, Number(id), signal)}
          toPath={(name) => paths.auction(name, id)}
        />
      )}
    </div>
  )
}
