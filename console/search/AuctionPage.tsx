import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { useTitle } from '../browser/useTitle.ts'
import { NetworkFinder } from '../networks/NetworkFinder.tsx'
import { type Network, type NetworkName, useNetworks } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { useNamedNetwork } from '../networks/useNamedNetwork.ts'
import { Competition } from '../order/competition/Competition.tsx'
import { isAuctionId } from '../order/competition/isAuctionId.ts'
import { SolvedOrders } from '../order/competition/SolvedOrders.tsx'
import type { SolverCompetition } from '../order/competition/useCompetition.ts'
import { FactGrid } from '../ui/FactGrid.tsx'
import { Failure } from '../ui/Failure.tsx'
import { HexText } from '../ui/HexText.tsx'
import { RawJson } from '../ui/RawJson.tsx'

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
          load={(name, signal) => loadCompetition(name, id, signal)}
          toPath={(name) => paths.auction(name, id)}
        />
      )}
    </div>
  )
}

const loadCompetition = (network: NetworkName, id: string, signal: AbortSignal): Promise<SolverCompetition> =>
  read(
    client.GET('/{network}/api/v2/solver_competition/{auction_id}', {
      params: { path: { network, auction_id: Number(id) } },
      signal,
    }),
  )

const AuctionView = ({ network, id }: { network: Network; id: string }) => {
  const { data, failure, reload } = useRequest('auction', (signal) => loadCompetition(network.name, id, signal))
  return (
    <>
      <h1>Auction {id}</h1>
      {failure && <Failure failure={failure} retry={reload} />}
      {!data && !failure && <p class="loading">Loading …</p>}
      {data && (
        <>
          <section class="panel" aria-label="Auction">
            <FactGrid
              facts={[
                { name: 'Start block', value: data.auctionStartBlock },
                { name: 'Deadline block', value: data.auctionDeadlineBlock },
                { name: 'Orders', value: data.auction.orders.length },
                { name: 'Transaction', value: <Settlements network={network} hashes={data.transactionHashes} /> },
              ]}
            />
          </section>
          <section class="panel">
            <h2>Competition</h2>
            <Competition network={network} competition={data} />
          </section>
          <section class="panel">
            <h2>Orders of the winners</h2>
            <SolvedOrders network={network} competition={data} />
          </section>
          <RawJson title="Competition as JSON" value={data} href={`/${network.name}/api/v2/solver_competition/${id}`} />
        </>
      )}
    </>
  )
}

const Settlements = ({ network, hashes }: { network: Network; hashes: readonly string[] }) => (
  <>
    {hashes.length === 0 && 'Not settled'}
    {hashes.map((hash) => (
      <HexText key={hash} value={hash} label="transaction hash" href={paths.transaction(network.name, hash)} />
    ))}
  </>
)
