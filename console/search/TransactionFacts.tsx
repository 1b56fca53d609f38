import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { FactGrid } from '../ui/FactGrid.tsx'
import { formatAmount } from '../ui/formatAmount.ts'
import { formatDayAndClock } from '../ui/formatClock.ts'

type Solution = components['schemas']['SolverCompetition']['solutions'][number]

/** Wei have nine decimals in gwei. */
const gwei = 9

/** Block, time, sender and gas of a transaction. @param settlements solutions that it settled */
export const TransactionFacts = ({
  network,
  settlements: [first],
}: {
  network: Network
  settlements: readonly Solution[]
}) => {
  if (!first?.settlement) return null
  const { block, time, gasUsed, effectiveGasPrice } = first.settlement
  return (
    <section class="panel" aria-label="Transaction">
      <FactGrid
        facts={[
          { name: 'Block', value: block },
          { name: 'Time', value: formatDayAndClock(Date.parse(time)) },
          { name: 'Sender', value: <SolverText network={network} address={first.solverAddress} isBrief /> },
          { name: 'Gas used', value: formatAmount(BigInt(gasUsed), 0, Number.POSITIVE_INFINITY) },
          { name: 'Gas price', value: `${formatAmount(BigInt(effectiveGasPrice), gwei)} gwei` },
          {
            name: 'Transaction fee',
            value: <NativeAmount network={network} amount={BigInt(gasUsed) * BigInt(effectiveGasPrice)} />,
          },
        ]}
      />
    </section>
  )
}
