import { useLocation } from 'preact-iso'
import { withQuery } from '../../browser/withQuery.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import type { Timeline } from './buildTimeline.ts'
import { TimelineChart } from './TimelineChart.tsx'
import { TimelineList } from './TimelineList.tsx'
import { formatView, isClosest, listViews, pan, parseView, showsAll, type View, zoom } from './view.ts'
import './timeline.css'

type Props = { network: Network; order: Order; pair: TokenPair; timeline: Timeline }

/** The selected part of an order's timeline as a chart, and the whole as a list. */
export const TimelinePanel = ({ network, order, pair, timeline }: Props) => {
  const location = useLocation()
  const { query } = location
  const view = parseView(query.view, timeline)
  const show = (name: string) => location.route(withQuery(location, { view: name === 'life' ? null : name }), true)
  const showPart = (part: View) => show(formatView(part, timeline))
  const isAll = showsAll(view, timeline)
  return (
    <section class="panel" aria-labelledby="timeline">
      <div class="panel-head">
        <h2 id="timeline">Timeline</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form */}
        <div class="view-buttons" role="group" aria-label="Part of the timeline">
          {listViews(timeline).map(({ name, label }) => (
            <button key={name} type="button" aria-pressed={name === (query.view ?? 'life')} onClick={() => show(name)}>
              {label}
            </button>
          ))}
          <button type="button" disabled={view.from <= timeline.from} onClick={() => showPart(pan(view, -0.5))}>
            <span aria-hidden="true">←</span>
            <span class="visually-hidden">Earlier</span>
          </button>
          <button type="button" disabled={view.to >= timeline.to} onClick={() => showPart(pan(view, 0.5))}>
            <span aria-hidden="true">→</span>
            <span class="visually-hidden">Later</span>
          </button>
          <button type="button" disabled={isClosest(view)} onClick={() => showPart(zoom(view, 0.5))}>
            <span aria-hidden="true">+</span>
            <span class="visually-hidden">Zoom in</span>
          </button>
          <button type="button" disabled={isAll} onClick={() => showPart(zoom(view, 2))}>
            <span aria-hidden="true">−</span>
            <span class="visually-hidden">Zoom out</span>
          </button>
        </div>
      </div>
      <TimelineChart timeline={timeline} view={view} />
      <TimelineList network={network} order={order} pair={pair} timeline={timeline} />
    </section>
  )
}
