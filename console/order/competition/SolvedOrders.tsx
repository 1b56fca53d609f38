import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { SolverText } from '../../networks/SolverText.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { HexText } from '../../ui/HexText.tsx'
import type { SolverCompetition } from './loadCompetition.ts'

type Solution = SolverCompetition['solutions'][number]
type Row = Solution['orders'][number] & { solver: string; ranking: number }

/** Amounts that the winners of an auction give each order. */
export const SolvedOrders = ({ network, competition }: { network: Network; competition: SolverCompetition }) => {
  const rows = competition.solutions
    .filter(({ isWinner }) => isWinner)
    .flatMap(({ orders, solverAddress: solver, ranking }): Row[] =>
      orders.map((order) => ({ ...order, solver, ranking })),
    )
  const columns: Column<Row>[] = [
    {
      name: 'Order',
      render: ({ id }) => <HexText value={id} label="order UID" href={paths.order(network.name, id)} />,
    },
    {
      name: 'Sells',
      isNumeric: true,
      render: (order) => (
        <TokenAmount network={network} token={toPaidToken(network, order)} amount={order.sellAmount} />
      ),
    },
    {
      name: 'Buys',
      isNumeric: true,
      render: ({ buyToken, buyAmount }) => <TokenAmount network={network} token={buyToken} amount={buyAmount} />,
    },
    { name: 'Winner', render: ({ solver }) => <SolverText network={network} address={solver} /> },
  ]
  if (rows.length === 0) return <p class="muted">No solution won.</p>
  return (
    <DataTable
      caption="Orders of the winners"
      columns={columns}
      rows={rows}
      keyOf={({ id, ranking }) => `${ranking} ${id}`}
    />
  )
}
