import { AlarmBadge } from './alarms/AlarmBadge.tsx'

type Props = { label: string; value: string; limit: string | undefined; isOver: boolean }

/** A figure, its limit, and an alarm where it is over. */
export const FigureRow = ({ label, value, limit, isOver }: Props) => (
  <div class={isOver ? 'over' : undefined}>
    <dt>{label}</dt>
    <dd>
      {isOver ? <AlarmBadge limit={limit} /> : limit && <span class="fine muted">limit {limit}</span>}{' '}
      <span class="number">{value}</span>
    </dd>
  </div>
)
