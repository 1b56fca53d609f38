import { alarmRules } from '../../shared/alarms/alarmRules.ts'
import type { Alarm } from '../../shared/alarms/computeAlarms.ts'
import { formatCount, formatOr } from '../../shared/alarms/formatFigure.ts'
import { AlarmBadge } from './alarms/AlarmBadge.tsx'
import type { NetworkStatus } from './alarms/networkStatus.ts'

type LatencyKey = 'quotes' | 'submissions' | 'timeToFill'
type Props = { status: NetworkStatus; alarms: readonly Alarm[] }

const columns: { label: string; key: LatencyKey; alarm?: 'quoteLatency' | 'submissionLatency' }[] = [
  { label: 'Quotes', key: 'quotes', alarm: 'quoteLatency' },
  { label: 'Submissions', key: 'submissions', alarm: 'submissionLatency' },
  { label: 'Time to fill', key: 'timeToFill' },
]
const percentiles = [
  { label: 'p50', key: 'p50Ms' },
  { label: 'p95', key: 'p95Ms' },
  { label: 'p99', key: 'p99Ms' },
] as const

/** Latencies of the last hour. */
export const LatencyTable = ({ status, alarms }: Props) => (
  <section class="panel" aria-labelledby="latency">
    <h3 id="latency">Latency in the last hour, ms</h3>
    <table class="latency">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Figure</span>
          </th>
          {columns.map(({ label }) => (
            <th key={label} scope="col" class="numeric">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">count</th>
          {columns.map(({ key }) => (
            <td key={key} class="numeric">
              {formatCount(status[key].count)}
            </td>
          ))}
        </tr>
        {percentiles.map((percentile) => (
          <tr key={percentile.key}>
            <th scope="row">{percentile.label}</th>
            {columns.map(({ key, alarm }) => {
              const limit = alarm && percentile.key === 'p95Ms' ? alarmRules[alarm].toLimit() : undefined
              const isOver = limit !== undefined && alarms.some(({ id }) => id === alarm)
              return (
                <td key={key} class={isOver ? 'numeric over' : 'numeric'}>
                  {formatOr(status[key][percentile.key], formatCount, '–')}
                  {isOver && <AlarmBadge limit={limit} />}
                  {limit !== undefined && !isOver && <span class="fine muted">limit {limit}</span>}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
