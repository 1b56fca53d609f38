import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'
import { type Network, useNetworks } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { isAuctionId } from '../networks/target/isAuctionId.ts'
import { MissingId } from '../networks/target/MissingId.tsx'
import { Tabs } from '../ui/elements/Tabs.tsx'
import { Failure } from '../ui/Failure.tsx'
import { RawJson } from '../ui/RawJson.tsx'
import { CompetitionPanel } from './competition/CompetitionPanel.tsx'
import { findVictory } from './competition/findVictory.ts'
import { listAuctions } from './competition/listAuctions.ts'
import { rankSolutions } from './competition/rankSolutions.ts'
import { useCompetition } from './competition/useCompetition.ts'
import { DetailsPanel } from './DetailsPanel.tsx'
import { DocumentPanel } from './DocumentPanel.tsx'
import { DiagnosisPanel } from './diagnosis/DiagnosisPanel.tsx'
import type { LoadedOrder } from './loading/loadOrder.ts'
import { type OrderPageState, useOrder } from './loading/useOrder.ts'
import { OrderHead } from './OrderHead.tsx'
import { PricesPanel } from './prices/PricesPanel.tsx'
import { SummaryTiles } from './SummaryTiles.tsx'
import { describeState } from './state/describeState.ts'
import { describeVerdict } from './state/describeVerdict.ts'
import { type TimedTrade, TradesPanel } from './TradesPanel.tsx'
import { useTokenPair } from './terms/useTokenPair.ts'
import { buildTimeline } from './timeline/buildTimeline.ts'
import { TimelinePanel } from './timeline/TimelinePanel.tsx'
import { useNotifications } from './timeline/useNotifications.ts'
import './order.css'

/** All panels of one order, updated live. */
export const OrderView = ({ network, uid }: { network: Network; uid: string }) => {
  const followed = useOrder(network, uid)
  const { data, failure, reload } = followed
  const elsewhere = useNetworks().length > 1 ? paths.order(undefined, uid) : undefined
  if (!data && !failure) return <p class="loading">Loading …</p>
  if (!data && failure?.facts.status === 404)
    return <MissingId kind="order" id={uid} searched={[network.label]} elsewhere={elsewhere} retry={reload} />
  return (
    <>
      {failure && (
        <>
          {!data && <h1>Order</h1>}
          <Failure failure={failure} retry={reload} />
        </>
      )}
      {data && <LoadedView network={network} loaded={data} followed={followed} />}
    </>
  )
}

type Props = { network: Network; loaded: LoadedOrder; followed: OrderPageState }

const LoadedView = ({ network, loaded, followed: { events, stream } }: Props) => {
  const { order, report, refusal, trades } = loaded
  const location = useLocation()
  const { query } = location
  const tab = query.tab === 'developer' ? 'developer' : 'order'
  const pair = useTokenPair(network, order)
  const notifications = useNotifications(network, order, events, stream)
  // The stream has more detail than the report once it is read to its end.
  const steps = report && events.length < report.events.length ? report.events : events
  const { blockTimeSeconds } = network
  const timeline = useMemo(
    () => buildTimeline({ ...loaded, steps, notifications, now: loaded.loadedAt, blockTimeSeconds }),
    [loaded, steps, notifications, blockTimeSeconds],
  )
  const auctions = useMemo(() => listAuctions(report, steps), [report, steps])
  const newest = auctions[0]?.id ?? null
  const auctionId = isAuctionId(query.auction ?? '') ? Number(query.auction) : newest
  // The newest won auction may be one whose settlement failed or is in progress.
  const filledIn = report?.trades[0]?.auctionId ?? newest
  const decisive = useCompetition(network, filledIn, steps.length)
  const chosen = useCompetition(network, auctionId === filledIn ? null : auctionId, steps.length)
  const competition = auctionId === filledIn ? decisive : chosen
  const victory = decisive.data ? findVictory(rankSolutions(decisive.data, order.uid), order.kind) : null
  const timed = timeline.entries.flatMap((entry): TimedTrade[] => (entry.kind === 'trade' ? [entry] : [])).reverse()
  const base = `/${network.name}/api/v1`
  // amounts that appear later would move everything below them
  if (pair.isLoading) return <p class="loading">Loading …</p>
  return (
    <>
      <OrderHead network={network} order={order} pair={pair} stream={stream} />
      <p class="visually-hidden" role="status">
        {`Status: ${describeState(order).status}${report ? `. Diagnosis: ${describeVerdict(order, report.diagnosis).text}` : ''}`}
      </p>
      {report && <DiagnosisPanel network={network} order={order} pair={pair} diagnosis={report.diagnosis} />}
      {refusal && (
        <p class="notice">
          Diagnosis unavailable:{' '}
          {refusal.facts.status === 401 ? 'this deployment shows it only to its operators.' : refusal.message}
        </p>
      )}
      <SummaryTiles
        network={network}
        order={order}
        pair={pair}
        trades={trades}
        filledAfterMs={timeline.fill && timeline.fill.to - timeline.from}
      />
      <Tabs
        label="Parts of the order"
        tabs={tabs}
        chosen={tab}
        onChoose={(name) => location.route(withQuery(location, { tab: name === 'order' ? null : name }), true)}
      >
        {tab === 'order' ? (
          <div class="order-columns">
            <div class="stack">
              <TimelinePanel network={network} order={order} pair={pair} timeline={timeline} />
              {auctionId !== null && (
                <CompetitionPanel
                  network={network}
                  order={order}
                  pair={pair}
                  auctions={auctions}
                  auctionId={auctionId}
                  competition={competition}
                />
              )}
              <TradesPanel network={network} order={order} pair={pair} trades={timed} />
            </div>
            <div class="stack">
              <PricesPanel network={network} order={order} pair={pair} trades={trades} />
              <DetailsPanel network={network} order={order} pair={pair} victory={victory} />
            </div>
          </div>
        ) : (
          <div class="stack">
            <DocumentPanel network={network} order={order} />
            <section class="panel" aria-label="Raw JSON">
              <h2>Raw data</h2>
              <RawJson title="Order as JSON" value={order} href={`${base}/orders/${order.uid}`} />
              {report && (
                <RawJson title="Debug report as JSON" value={report} href={`${base}/debug/order/${order.uid}`} />
              )}
              <RawJson
                title="Trades as JSON"
                value={trades}
                href={`/${network.name}/api/v2/trades?orderUid=${order.uid}`}
              />
              {competition.data && (
                <RawJson
                  title={`Competition of auction ${auctionId} as JSON`}
                  value={competition.data}
                  href={`/${network.name}/api/v2/solver_competition/${auctionId}`}
                />
              )}
            </section>
          </div>
        )}
      </Tabs>
    </>
  )
}

const tabs = [
  { name: 'order', label: 'Overview' },
  { name: 'developer', label: 'Developer' },
] as const
