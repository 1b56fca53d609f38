import { client } from '../api/client.ts'
import { ListFrame } from '../lists/ListFrame.tsx'
import { useList } from '../lists/useList.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Chip } from '../ui/elements/Chip.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { winStates } from './winStates.ts'

/** Auctions with a valid solution, newest first. */
export const AuctionList = ({ network }: { network: Network }) => {
  const list = useList('auctions', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/auctions', {
      params: { path: { network: network.name }, query: { limit: 25, ...(cursor ? { cursor } : {}) } },
      signal,
    }),
  )
  return (
    <ListFrame
      list={list}
      what="auctions"
      render={(auctions) => (
        <DataTable
          caption="Auctions, newest first"
          rows={auctions}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Auction', render: ({ id }) => <a href={paths.auction(network.name, id)}>{id}</a> },
            { name: 'Time', render: ({ createdAt }) => <TimeText time={createdAt} /> },
            { name: 'Block', isNumeric: true, render: ({ block }) => block },
            { name: 'Orders', isNumeric: true, render: ({ orderCount }) => orderCount ?? '–' },
            { name: 'Solutions', isNumeric: true, render: ({ solutionCount }) => solutionCount },
            {
              name: 'Winners',
              render: ({ winners }) =>
                winners.length === 0
                  ? '–'
                  : winners.map(({ solver, status }, index) => (
                      <span key={index} class="winner">
                        <SolverText network={network} address={solver} isBrief />{' '}
                        <Chip tone={winStates[status].tone}>{winStates[status].label}</Chip>
                      </span>
                    )),
            },
          ]}
        />
      )}
    />
  )
}
