import { useState } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { formatClock, formatDay } from '../../ui/formatClock.ts'
import { formatDuration } from '../../ui/formatDuration.ts'
import type { Order } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import type { Timeline } from './buildTimeline.ts'
import { TimelineEntry } from './TimelineEntry.tsx'
import { isSameDay } from './times/isSameDay.ts'
import type { Entry } from './times/timelineFacts.ts'

type Props = { network: Network; order: Order; pair: TokenPair; timeline: Timeline }

/** A long history shows its beginning and end first. */
const shownFirst = 20
const shownLast = 30

/** All entries as text, in order. */
export const TimelineList = ({ network, order, pair, timeline: { from, entries } }: Props) => {
  const [showsAll, setShowsAll] = useState(false)
  const hidden = showsAll ? 0 : Math.max(entries.length - shownFirst - shownLast, 0)
  const isCut = hidden > 1
  const toItem = (entry: Entry, place: number) => {
    const before = entries[place - 1]
    const isNewDay = before === undefined || !isSameDay(entry.time, before.time)
    return (
      <li key={place} class={entry.kind}>
        {isNewDay && <span class="day">{formatDay(entry.time)}</span>}
        <span class="when">
          <time dateTime={new Date(entry.time).toISOString()}>{formatClock(entry.time)}</time>
          <span class="since">
            {entry.isAbout && '≈ '}+{formatDuration(entry.time - from)}
          </span>
        </span>
        <div>
          <TimelineEntry network={network} order={order} pair={pair} entry={entry} />
        </div>
      </li>
    )
  }
  if (!isCut) return <ol class="timeline-list">{entries.map(toItem)}</ol>
  const last = entries.length - shownLast
  return (
    <ol class="timeline-list">
      {entries.slice(0, shownFirst).map(toItem)}
      <li class="more">
        <button type="button" onClick={() => setShowsAll(true)}>
          Show {hidden} more steps
        </button>
      </li>
      {entries.slice(last).map((entry, i) => toItem(entry, last + i))}
    </ol>
  )
}
