import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { SolverText } from '../../networks/SolverText.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Chip } from '../../ui/elements/Chip.tsx'
import { HexText } from '../../ui/HexText.tsx'
import { useTokenPair } from '../terms/useTokenPair.ts'
import type { SolverCompetition } from './loadCompetition.ts'

type Solution = SolverCompetition['solutions'][number]
type Row = Solution['orders'][number] & { solver: string; ranking: number; isWinner: boolean }

/** Amounts that each solution of an auction gives its orders, and the prices between them; a solution has no uniform ones. */
export const SolvedOrders = ({ network, competition }: { network: Network; competition: SolverCompetition }) => {
  const rows = competition.solutions
    .toSorted((one, other) => one.ranking - other.ranking)
    .flatMap(({ orders, solverAddress: solver, ranking, isWinner }): Row[] =>
      orders.map((order) => ({ ...order, solver, ranking, isWinner })),
    )
  const columns: Column<Row>[] = [
    {
      name: 'Order',
      share: 15,
      render: ({ id }) => <HexText value={id} label="order UID" href={paths.order(network.name, id)} />,
    },
    {
      name: 'Sells',
      share: 14,
      isNumeric: true,
      render: (order) => (
        <TokenAmount network={network} token={toPaidToken(network, order)} amount={order.sellAmount} />
      ),
    },
    {
      name: 'Buys',
      share: 16,
      isNumeric: true,
      render: ({ buyToken, buyAmount }) => <TokenAmount network={network} token={buyToken} amount={buyAmount} />,
    },
    { name: 'Price', share: 23, isNumeric: true, render: (order) => <Price network={network} order={order} /> },
    {
      name: 'Solution',
      share: 32,
      render: ({ solver, isWinner }) => (
        <span class="result">
          <SolverText network={network} address={solver} />
          {isWinner && <Chip tone="ok">Winner</Chip>}
        </span>
      ),
    },
  ]
  if (rows.length === 0) return <p class="muted">No solution has orders.</p>
  return (
    <DataTable
      caption="Orders of the solutions, best solution first"
      columns={columns}
      rows={rows}
      keyOf={({ id, ranking }) => `${ranking} ${id}`}
      classOf={({ isWinner }) => (isWinner ? 'winner' : undefined)}
    />
  )
}

const Price = ({ network, order }: { network: Network; order: Row }) => {
  const { formatRate, rateUnit } = useTokenPair(network, order)
  const rate = formatRate({ sell: BigInt(order.sellAmount), buy: BigInt(order.buyAmount) })
  return rate === undefined ? (
    '–'
  ) : (
    <span class="amount">
      <span class="number">{rate}</span> <span class="unit">{rateUnit}</span>
    </span>
  )
}
