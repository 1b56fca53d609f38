import { useLocation } from 'preact-iso'
import { toApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import { useRequest } from '../api/useRequest.ts'
import { useTitle } from '../browser/useTitle.ts'
import { ListFrame } from '../lists/ListFrame.tsx'
import { type Network, useNetwork } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { FactGrid } from '../ui/FactGrid.tsx'
import { HexText } from '../ui/HexText.tsx'
import { shorten } from '../ui/shorten.ts'
import { TimeText } from '../ui/TimeText.tsx'
import { SolverResult } from './SolverResult.tsx'
import './explorer.css'
import { formatClock } from '../ui/formatClock.ts'

const everyMs = 10_000

/** `/solvers/{address}`: standing of a solver, and why its solutions won, lost or were rejected. */
export const SolverPage = ({ address: given }: { address: string }) => {
  const address = given.toLowerCase()
  const network = useNetwork()
  useTitle(`Solver ${shorten(address)}`)
  if (!/^0x[0-9a-f]{40}$/.test(address))
    return (
      <div class="page">
        <h1>Solver</h1>
        <p class="notice error">“{given}” is not an address.</p>
      </div>
    )
  return <SolverView key={`${network.name} ${address}`} network={network} address={address} />
}

const SolverView = ({ network, address }: { network: Network; address: string }) => {
  const { cursor } = useLocation().query
  const request = useRequest(
    `solver ${cursor}`,
    async (signal) => {
      const { data, error, response } = await client.GET('/{network}/api/v1/explorer/solvers/{address}', {
        params: { path: { network: network.name, address }, query: { limit: 25, ...(cursor ? { cursor } : {}) } },
        signal,
      })
      if (!data) throw toApiFailure(error, response)
      return { solver: data, rows: data.auctions, next: response.headers.get('X-Next-Cursor') }
    },
    cursor === undefined ? everyMs : undefined,
  )
  const solver = request.data?.solver
  return (
    <div class="page explorer">
      <div class="page-head">
        <h1>Solver {solver?.name ?? shorten(address)}</h1>
        <HexText
          value={address}
          label="solver address"
          href={network.explorerUrl === null ? undefined : `${network.explorerUrl}/address/${address}`}
        />
      </div>
      <section class="panel" aria-label="Standing">
        <FactGrid
          facts={[
            { name: 'Debt', value: solver ? <NativeAmount network={network} amount={solver.debt} /> : '…' },
            { name: 'Unsettled wins', value: solver?.unsettled.wins ?? '…' },
            {
              name: 'Their score',
              value: solver ? <NativeAmount network={network} amount={solver.unsettled.score} /> : '…',
            },
            { name: 'Suspended', value: solver ? describeSuspension(solver.suspension) : '…' },
          ]}
        />
      </section>
      <section class="panel" aria-label="Auctions">
        <ListFrame
          list={request}
          what="auctions"
          render={(auctions) => (
            <DataTable
              caption="Auctions of this solver, newest first"
              rows={auctions}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Auction', render: ({ id }) => <a href={paths.auction(network.name, id)}>{id}</a> },
                { name: 'Time', render: ({ createdAt }) => <TimeText time={createdAt} /> },
                {
                  name: 'Response',
                  isNumeric: true,
                  render: ({ solutions: [first] }) => (first?.responseMs == null ? '–' : `${first.responseMs} ms`),
                },
                {
                  name: 'Best score',
                  isNumeric: true,
                  render: ({ solutions: [first] }) =>
                    first ? <NativeAmount network={network} amount={first.score} /> : '–',
                },
                { name: 'Result', render: (auction) => <SolverResult network={network} auction={auction} /> },
              ]}
            />
          )}
        />
      </section>
    </div>
  )
}

const describeSuspension = (suspension: { until: string } | null): string =>
  suspension ? `until ${formatClock(Date.parse(suspension.until))}` : 'no'
