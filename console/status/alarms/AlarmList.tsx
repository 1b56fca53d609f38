import type { Alarm } from '../../../shared/alarms/computeAlarms.ts'
import { formatSpan } from '../../../shared/alarms/formatFigure.ts'
import { Chip } from '../../ui/elements/Chip.tsx'
import { AdviceText } from './AdviceText.tsx'
import { nameSolver } from './nameSolver.ts'
import type { NetworkStatus } from './networkStatus.ts'

type Props = {
  alarms: readonly Alarm[]
  solvers: NetworkStatus['solvers']
  /** seconds for which the page has seen an alarm, by its key */
  seenFor: (key: string) => number
}

/** All exceeded limits, with advice. */
export const AlarmList = ({ alarms, solvers, seenFor }: Props) =>
  alarms.length === 0 ? (
    <p class="notice ok">All systems operational: every figure is within its limit.</p>
  ) : (
    <ul class="alarms" aria-label="Alarms">
      {alarms.map(({ key, rule, subject, value }) => (
        <li key={key} class="notice error">
          <p>
            <Chip tone="error">alarm</Chip>{' '}
            <strong>
              {rule.label}
              {subject && ` of ${nameSolver(solvers, subject)}`}: {value}
            </strong>
          </p>
          <p>
            Next step: <AdviceText text={rule.advice} />
          </p>
          <p class="fine">
            Rule: <AdviceText text={rule.figure} />: {rule.when}. {tellDuration(seenFor(key), rule.lastsSeconds)}
          </p>
        </li>
      ))}
    </ul>
  )

/** A status describes the present; durations are known only since the page was opened. */
const tellDuration = (seenSeconds: number, lastsSeconds: number): string => {
  if (seenSeconds < lastsSeconds) return `Seen here for ${formatSpan(seenSeconds)} of ${formatSpan(lastsSeconds)}.`
  return `Seen here for ${formatSpan(seenSeconds)}.`
}
