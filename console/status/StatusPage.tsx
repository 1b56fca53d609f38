import { computeAlarms } from '../../shared/alarms/computeAlarms.ts'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { useTitle } from '../browser/useTitle.ts'
import { type Network, useNetwork, useNetworks } from '../networks/NetworksProvider.tsx'
import { Chip } from '../ui/elements/Chip.tsx'
import { Failure } from '../ui/Failure.tsx'
import { formatDuration } from '../ui/formatDuration.ts'
import { RawJson } from '../ui/RawJson.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { AlarmList } from './alarms/AlarmList.tsx'
import { Figures } from './Figures.tsx'
import type { Freshness } from './history/computeFreshness.ts'
import { useFreshness } from './history/useFreshness.ts'
import { type NetworkHistory, type Status, statusOf, timeOf, useStatusHistory } from './history/useStatusHistory.ts'
import { NetworkCards } from './NetworkCards.tsx'
import { Pauses } from './Pauses.tsx'
import { HourPlots } from './plots/HourPlots.tsx'
import { SamplePlots } from './plots/SamplePlots.tsx'
import { SolverTable } from './SolverTable.tsx'
import 'uplot/dist/uPlot.min.css'
import './status.css'

const everyMs = 5_000

const loadStatus = (signal: AbortSignal): Promise<Status> => read(client.GET('/status.json', { signal }))

const titles: Record<Freshness, string> = { current: 'Current', stale: 'Stale', offline: 'Offline' }

const notes: Record<Freshness, string> = {
  current: '',
  stale: 'No new status has arrived.',
  offline: 'The service does not respond.',
}

/** `/status`: state of every network and the limits of docs/operations.md that are exceeded. */
export const StatusPage = () => {
  const networks = useNetworks()
  const selected = useNetwork()
  const { data: status, failure, reload } = useRequest('status', loadStatus, everyMs)
  const { freshness, ageMs } = useFreshness(status?.time, failure !== null)
  const isCurrent = freshness === 'current'
  const historyOf = useStatusHistory(status, networks)
  const count = status ? computeAlarms(statusOf(status, selected), selected).length : 0
  const verdict = count === 1 ? '1 alarm' : `${count} alarms`
  useTitle(isCurrent ? (count > 0 ? `${verdict} · Status` : 'Status') : `${titles[freshness]} · Status`)
  return (
    <div class="page status">
      <h1>Status</h1>
      <p role="status" class="visually-hidden">
        {status &&
          `${selected.label}: ${isCurrent ? (count > 0 ? verdict : 'no alarm') : titles[freshness].toLowerCase()}`}
      </p>
      {failure && <Failure failure={failure} retry={reload} />}
      {status && !isCurrent && (
        <p class="notice error" role="alert">
          <Chip tone="error">{titles[freshness]}</Chip> {notes[freshness]} The figures below are {formatDuration(ageMs)}{' '}
          old.
        </p>
      )}
      {status ? (
        <>
          <p class="muted">
            {isCurrent ? 'Updated every 5 seconds' : 'Not updated now'}, as of <TimeText time={status.time} />. Version{' '}
            {status.version}.
          </p>
          <NetworkCards networks={networks} selected={selected} status={status} freshness={freshness} />
          <NetworkDetail network={selected} status={status} history={historyOf(selected)} isCurrent={isCurrent} />
        </>
      ) : (
        !failure && <p class="loading">Loading …</p>
      )}
    </div>
  )
}

type DetailProps = { network: Network; status: Status; history: NetworkHistory; isCurrent: boolean }

const NetworkDetail = ({ network, status, history, isCurrent }: DetailProps) => {
  const own = statusOf(status, network)
  const alarms = computeAlarms(own, network)
  const now = timeOf(status)
  const figures = own.state === 'ok' ? own : undefined
  return (
    <>
      <h2>{network.label}</h2>
      {/* old figures prove neither an alarm nor its absence */}
      {isCurrent && (
        <AlarmList
          alarms={alarms}
          solvers={figures?.solvers ?? []}
          seenFor={(key) => now - (history.since[key] ?? now)}
        />
      )}
      {figures && <Pauses pauses={figures.pauses} />}
      {figures && <Figures status={figures} context={network} alarms={alarms} />}
      {figures && <SolverTable solvers={figures.solvers} alarms={alarms} />}
      {figures && (
        <>
          <h3 class="group">Last 24 hours</h3>
          <div class="plots">
            <HourPlots hours={figures.hours} />
          </div>
        </>
      )}
      <h3 class="group">Live, last 15 minutes at most</h3>
      <div class="plots">
        <SamplePlots samples={history.samples} context={network} />
      </div>
      <p class="fine">
        Limits are those of docs/operations.md. A figure turns red as soon as it exceeds its limit here; the alarm says
        for how long. Figures of solvers and hours are at most a minute old, all others five seconds.
      </p>
      {figures && <RawJson title="This status as JSON" value={figures} href={`/${network.name}/status.json`} />}
    </>
  )
}
