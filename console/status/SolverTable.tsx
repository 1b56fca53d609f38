import { type AlarmId, alarmRules } from '../../shared/alarms/alarmRules.ts'
import type { Alarm } from '../../shared/alarms/computeAlarms.ts'
import { formatCount, formatOr, formatPercent, formatSpan } from '../../shared/alarms/formatFigure.ts'
import { ScrollSection } from '../ui/elements/ScrollSection.tsx'
import { formatAmount } from '../ui/formatAmount.ts'
import { formatClock } from '../ui/formatClock.ts'
import { HexText } from '../ui/HexText.tsx'
import { AlarmBadge } from './alarms/AlarmBadge.tsx'
import type { NetworkStatus } from './alarms/networkStatus.ts'

type Props = { solvers: NetworkStatus['solvers']; alarms: readonly Alarm[] }

const causes = {
  timeout: 'wins were not settled',
  mismatch: 'a settlement paid less than promised',
  reverted: 'settlements failed',
} as const

/** @param wei decimal string */
const formatEther = (wei: string): string => `${formatAmount(BigInt(wei), 18)} ether`

/** Failed wins shown below a suspension, newest first. */
const shownAttempts = 5

const columns = ['Last solution', 'Missed auctions', 'Solutions', 'Wins', 'Attempts', 'Successes', 'Failures'] as const

/** Solvers with their results of 24 hours and suspensions. */
export const SolverTable = ({ solvers, alarms }: Props) => (
  <ScrollSection class="panel scroll-x" aria-labelledby="solvers">
    <h3 id="solvers">Solvers, last 24 hours</h3>
    {solvers.length === 0 ? (
      <p>No solvers.</p>
    ) : (
      <table class="solvers">
        <thead>
          <tr>
            <th scope="col">Solver</th>
            {columns.map((name) => (
              <th key={name} scope="col" class="numeric">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {solvers.map((solver) => (
            <SolverRow
              key={solver.address}
              solver={solver}
              isOver={(id) => alarms.some((alarm) => alarm.id === id && alarm.subject === solver.address)}
            />
          ))}
        </tbody>
      </table>
    )}
    <p class="fine">
      Missed auctions: solved by others since its last valid solution. Limits: {alarmRules.solverStopped.toLimit()}{' '}
      missed auctions of a solver that competes here, failures of {alarmRules.solverFailures.toLimit()} of the attempts.
    </p>
  </ScrollSection>
)

type RowProps = { solver: NetworkStatus['solvers'][number]; isOver: (id: AlarmId) => boolean }

const SolverRow = ({ solver, isOver }: RowProps) => {
  const { name, address, lastSolutionAgeSeconds, missedAuctions, attempts, failures, suspension, debt } = solver
  const [hasStopped, isFailing] = [isOver('solverStopped'), isOver('solverFailures')]
  const { fault } = solver
  return (
    <tr class={hasStopped || isFailing || fault !== null ? 'over' : undefined}>
      <th scope="row">
        <span class="solver-name">{name ?? 'removed'}</span> <HexText value={address} label="solver address" />
        {fault !== null && <span class="fine"> Cannot settle: {fault}</span>}
        {suspension && (
          <p class="fine">
            {suspension.reason === 'reverted' ? 'yields to others' : 'suspended'} until{' '}
            <time dateTime={suspension.until}>{formatClock(Date.parse(suspension.until))}</time>:{' '}
            {causes[suspension.reason]} ({formatCount(suspension.failures)})
          </p>
        )}
        {suspension && suspension.attempts.length > 0 && (
          <ul class="fine">
            {suspension.attempts.slice(0, shownAttempts).map(({ auctionId, reason, debt }, i) => (
              <li key={`${auctionId}:${i}`}>
                Auction {auctionId}: {reason}
                {debt !== null && debt !== '0' && ` (${formatEther(debt)})`}
              </li>
            ))}
          </ul>
        )}
        {debt !== '0' && <p class="fine">paid {formatEther(debt)} less than promised</p>}
      </th>
      <td class="numeric">{formatOr(lastSolutionAgeSeconds, (age) => `${formatSpan(age)} ago`, 'none in 24 h')}</td>
      <td class={hasStopped ? 'numeric over' : 'numeric'}>
        {formatCount(missedAuctions)} {hasStopped && <AlarmBadge limit={alarmRules.solverStopped.toLimit()} />}
      </td>
      <td class="numeric">{formatCount(solver.solutions)}</td>
      <td class="numeric">{formatCount(solver.wins)}</td>
      <td class="numeric">{formatCount(attempts)}</td>
      <td class="numeric">{formatCount(solver.successes)}</td>
      <td class={isFailing ? 'numeric over' : 'numeric'}>
        {formatCount(failures)}
        {failures > 0 && `, ${formatPercent(failures, attempts)}`}{' '}
        {isFailing && <AlarmBadge limit={alarmRules.solverFailures.toLimit()} />}
      </td>
    </tr>
  )
}
