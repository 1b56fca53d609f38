import { useRequest } from '../api/useRequest.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { Competition } from '../order/competition/Competition.tsx'
import { loadCompetition } from '../order/competition/loadCompetition.ts'
import { SolvedOrders } from '../order/competition/SolvedOrders.tsx'
import { FactGrid } from '../ui/FactGrid.tsx'
import { Failure } from '../ui/Failure.tsx'
import { HexText } from '../ui/HexText.tsx'
import { RawJson } from '../ui/RawJson.tsx'

/** Figures, competition and orders of an auction of a network. */
export const AuctionView = ({ network, id }: { network: Network; id: string }) => {
  const { data, failure, reload } = useRequest('auction', (signal) => loadCompetition(network.name, Number(id), signal))
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
            <h2>Orders and prices of all solutions</h2>
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
