import { useId } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { RequestState } from '../../api/useRequest.ts'
import { withQuery } from '../../browser/withQuery.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { Failure } from '../../ui/Failure.tsx'
import type { Order } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { Competition } from './Competition.tsx'
import { type ListedAuction, maxListed } from './listAuctions.ts'
import type { SolverCompetition } from './loadCompetition.ts'

type Props = {
  network: Network
  order: Order
  pair: TokenPair
  auctions: readonly ListedAuction[]
  /** the selected one */
  auctionId: number
  competition: RequestState<SolverCompetition>
}

/** Solutions with the order, by auction. */
export const CompetitionPanel = ({ network, order, pair, auctions, auctionId, competition }: Props) => {
  const location = useLocation()
  const selectId = useId()
  const { data, failure, reload } = competition
  const choose = (id: string) => location.route(withQuery(location, { auction: id }))
  const listed = auctions.some(({ id }) => id === auctionId)
    ? auctions
    : [...auctions, { id: auctionId, isWon: false, solutions: null }]
  return (
    <section class="panel" aria-labelledby="competition">
      <div class="panel-head">
        <h2 id="competition">
          Competition in <a href={paths.auction(network.name, auctionId)}>auction {auctionId}</a>
        </h2>
        {listed.length > 1 && (
          <span class="auction-choice">
            <label for={selectId}>Auction</label>{' '}
            <select id={selectId} value={auctionId} onChange={(event) => choose(event.currentTarget.value)}>
              {listed.map((auction) => (
                <option key={auction.id} value={auction.id}>
                  {toLabel(auction)}
                </option>
              ))}
            </select>
          </span>
        )}
      </div>
      {failure?.facts.status === 404 && (
        <p class="muted">
          Not available: {failure.message}. Some deployments publish a competition only after its deadline.
        </p>
      )}
      {failure && failure.facts.status !== 404 && <Failure failure={failure} retry={reload} />}
      {!data && !failure && <p class="loading">Loading …</p>}
      {data && (
        <Competition
          network={network}
          competition={data}
          of={{ uid: order.uid, sellToken: pair.sell, buyToken: pair.buy }}
        />
      )}
      {auctions.length === maxListed && <p class="fine">The {maxListed} newest auctions, won ones first.</p>}
    </section>
  )
}

const toLabel = ({ id, isWon, solutions }: ListedAuction): string => {
  const count = solutions === null ? '' : `, ${solutions} ${solutions === 1 ? 'solution' : 'solutions'}`
  return `${id}${isWon ? ', won' : ''}${count}`
}
