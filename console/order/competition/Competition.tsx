import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { SolverText } from '../../networks/SolverText.tsx'
import { NativeAmount } from '../../tokens/NativeAmount.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { Bar } from '../../ui/Bar.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Chip } from '../../ui/elements/Chip.tsx'
import { formatShare } from '../../ui/formatShare.ts'
import { HexText } from '../../ui/HexText.tsx'
import type { Order } from '../loading/loadOrder.ts'
import { findBestScore } from './findBestScore.ts'
import type { SolverCompetition } from './loadCompetition.ts'
import { type RankedSolution, rankSolutions } from './rankSolutions.ts'
import './competition.css'

type Props = {
  network: Network
  competition: SolverCompetition
  /** the order of the page, with its tokens as shown */
  of?: Pick<Order, 'uid' | 'sellToken' | 'buyToken'>
}

/** Solutions of an auction as a ranked chart. */
export const Competition = ({ network, competition, of }: Props) => {
  const ranked = rankSolutions(competition, of?.uid)
  const best = findBestScore(competition)
  const describeScore = ({ score, ranking }: RankedSolution) => {
    if (score !== best) return formatShare(score - best, best)
    return ranking === 1 ? 'best' : 'equal'
  }
  const columns: Column<RankedSolution>[] = [
    { name: 'Rank', render: ({ ranking }) => ranking },
    { name: 'Solver', render: ({ solver }) => <SolverText network={network} address={solver} /> },
    {
      name: 'Score',
      render: (solution) => (
        <span class="score">
          <Bar permille={solution.permille} tone={solution.isWinner ? 'good' : 'plain'} />
          <span>
            <NativeAmount network={network} amount={solution.score} />{' '}
            <span class="muted">{describeScore(solution)}</span>
          </span>
        </span>
      ),
    },
    of
      ? {
          name: 'This order',
          isNumeric: true,
          render: ({ executed }) =>
            executed ? (
              <span>
                <TokenAmount network={network} token={of.buyToken} amount={executed.buy} />
                <br />
                <span class="muted solution-sold">
                  for <TokenAmount network={network} token={of.sellToken} amount={executed.sell} />
                </span>
              </span>
            ) : (
              <span class="muted">not included</span>
            ),
        }
      : { name: 'Orders', isNumeric: true, render: ({ orders }) => orders.length },
    { name: 'Result', render: (solution) => <Result network={network} solution={solution} /> },
  ]
  return (
    <>
      <DataTable
        caption={`Solutions of auction ${competition.auctionId}, best first`}
        columns={columns}
        rows={ranked}
        keyOf={({ ranking }) => ranking}
        classOf={({ isWinner, filteredOut }) => (isWinner ? 'winner' : filteredOut ? 'filtered-out' : undefined)}
      />
      {ranked.some(({ filteredOut }) => filteredOut) && (
        <p class="fine">Filtered out: another solution offers the traders of one token pair more than this one does.</p>
      )}
    </>
  )
}

const Result = ({
  network,
  solution: { isWinner, filteredOut, txHash },
}: {
  network: Network
  solution: RankedSolution
}) => (
  <span class="result">
    {isWinner && <Chip tone="ok">Winner</Chip>}
    {filteredOut && <Chip tone="error">Filtered out</Chip>}
    {!isWinner && !filteredOut && <Chip tone="ended">Lost</Chip>}
    {txHash !== null && (
      <span>
        <HexText value={txHash} label="transaction hash" href={paths.transaction(network.name, txHash)} />
      </span>
    )}
    {isWinner && txHash === null && <span class="muted">not settled</span>}
  </span>
)
