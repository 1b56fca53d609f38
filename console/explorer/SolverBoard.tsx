import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { withQuery } from '../browser/withQuery.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Segmented } from '../ui/elements/Segmented.tsx'
import { Failure } from '../ui/Failure.tsx'
import { formatClock } from '../ui/formatClock.ts'
import { count } from '../ui/numbers.ts'

const windows = { day: '24 hours', week: '7 days' } as const

/** Solvers by the surplus of their trades. */
export const SolverBoard = ({ network }: { network: Network }) => {
  const location = useLocation()
  const chosen = location.query.window === 'day' ? 'day' : 'week'
  const { data, failure, reload } = useRequest('solvers', (signal) =>
    read(client.GET('/{network}/api/v1/explorer/solvers', { params: { path: { network: network.name } }, signal })),
  )
  if (!data) return failure ? <Failure failure={failure} retry={reload} /> : <p class="loading">Loading …</p>
  const ranked = data.toSorted((a, b) => compare(BigInt(b[chosen].surplus), BigInt(a[chosen].surplus)))
  return (
    <>
      <div class="filters">
        <Segmented
          label="Time"
          choices={windows}
          value={chosen}
          onChoose={(window) => location.route(withQuery(location, { window: window === 'week' ? null : window }))}
        />
      </div>
      {ranked.length === 0 && <p class="muted">No solver competes here.</p>}
      {ranked.length > 0 && (
        <DataTable
          caption={`Results of solvers, ${windows[chosen]}`}
          rows={ranked}
          keyOf={({ address }) => address}
          columns={[
            {
              name: 'Solver',
              render: ({ address, suspension }) => (
                <span>
                  <SolverText network={network} address={address} />
                  {suspension && <span class="fine"> suspended until {formatClock(Date.parse(suspension.until))}</span>}
                </span>
              ),
            },
            {
              name: 'Surplus',
              isNumeric: true,
              render: (solver) => <NativeAmount network={network} amount={solver[chosen].surplus} />,
            },
            { name: 'Auctions', isNumeric: true, render: (solver) => count.format(solver[chosen].auctions) },
            { name: 'Wins', isNumeric: true, render: (solver) => count.format(solver[chosen].wins) },
            { name: 'Settled', isNumeric: true, render: (solver) => count.format(solver[chosen].settled) },
            { name: 'Failed', isNumeric: true, render: (solver) => count.format(sumFailures(solver[chosen])) },
          ]}
        />
      )}
    </>
  )
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

const sumFailures = ({ reverted, timedOut, mismatched }: Record<'reverted' | 'timedOut' | 'mismatched', number>) =>
  reverted + timedOut + mismatched
