import { read } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import { useRequest } from '../api/useRequest.ts'
import { useTitle } from '../browser/useTitle.ts'
import { type Network, useNetwork, useNetworks } from '../networks/NetworksProvider.tsx'
import { Failure } from '../ui/Failure.tsx'
import { RawJson } from '../ui/RawJson.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { AlarmList } from './alarms/AlarmList.tsx'
import { findAlarms } from './alarms/findAlarms.ts'
import { Figures } from './Figures.tsx'
import { type NetworkHistory, type Status, statusOf, timeOf, useStatusHistory } from './history/useStatusHistory.ts'
import { NetworkCards } from './NetworkCards.tsx'
import { HourPlots } from './plots/HourPlots.tsx'
import { SamplePlots } from './plots/SamplePlots.tsx'
import { SolverTable } from './SolverTable.tsx'
import 'uplot/dist/uPlot.min.css'
import './status.css'

const everyMs = 5_000

const loadStatus = (signal: AbortSignal): Promise<Status> => read(client.GET('/status.json', { signal }))

/** `/status`: state of every network and the limits of docs/operations.md that are exceeded. */
export const StatusPage = () => {
  const networks = useNetworks()
  const selected = useNetwork()
  const { data: status, failure, reload } = useRequest('status', loadStatus, everyMs)
  const historyOf = useStatusHistory(status, networks)
  const count = status ? findAlarms(statusOf(status, selected), selected).length : 0
  const verdict = count === 1 ? '1 alarm' : `${count} alarms`
  useTitle(count > 0 ? `${verdict} · Status` : 'Status')
  return (
    <div class="page status">
      <h1>Status</h1>
      <p role="status" class="visually-hidden">
        {status && `${selected.label}: ${count > 0 ? verdict : 'no alarm'}`}
      </p>
      {failure && <Failure failure={failure} retry={reload} />}
      {status ? (
        <>
          <p class="muted">
            As of <TimeText time={status.time} />, updated every 5 seconds. Version {status.version}.
          </p>
          <NetworkCards networks={networks} selected={selected} status={status} />
          <NetworkDetail network={selected} status={status} history={historyOf(selected)} />
        </>
      ) : (
        !failure && <p class="loading">Loading …</p>
      )}
    </div>
  )
}

type DetailProps = { network: Network; status: Status; history: NetworkHistory }

const NetworkDetail = ({ network, status, history }: DetailProps) => {
  const own = statusOf(status, network)
  const alarms = findAlarms(own, network)
  const now = timeOf(status)
  const figures = own.state === 'ok' ? own : undefined
  return (
    <>
      <h2>{network.label}</h2>
      <AlarmList
        alarms={alarms}
        solvers={figures?.solvers ?? []}
        seenFor={(key) => now - (history.since[key] ?? now)}
      />
      {figures && <Figures status={figures} context={network} alarms={alarms} />}
      {figures && <SolverTable solvers={figures.solvers} alarms={alarms} />}
      {figures && (
        <>
          <h3 class="group">The last 24 hours</h3>
          <div class="plots">
            <HourPlots hours={figures.hours} />
          </div>
        </>
      )}
      <h3 class="group">While this page is open, 15 minutes at most</h3>
      <div class="plots">
        <SamplePlots samples={history.samples} />
      </div>
      <p class="fine">
        The limits are those of docs/operations.md. A figure is red as soon as this page sees it over its limit; where
        the rule wants that to last, its alarm says how long it has been seen here. Figures of solvers and hours are a
        minute old at most, everything else five seconds.
      </p>
      {figures && <RawJson title="This status as JSON" value={figures} href={`/${network.name}/status.json`} />}
    </>
  )
}
