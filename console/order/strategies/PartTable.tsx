import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Chip } from '../../ui/elements/Chip.tsx'
import { TimeText } from '../../ui/TimeText.tsx'
import { useNow } from '../../ui/useNow.ts'
import { type ConditionalOrder, findPartState } from './describeConditional.ts'
import { PriceText } from './PriceText.tsx'

type Props = { network: Network; order: ConditionalOrder }
type Part = ConditionalOrder['parts'][number]

/** Parts of a conditional order, newest first. */
export const PartTable = ({ network, order }: Props) => {
  const now = useNow()
  const { parts, progress } = order
  const columns: Column<Part>[] = [
    {
      name: 'Part',
      // newest first, also when older ones are not listed
      render: (part) => (
        <a href={paths.order(network.name, part.orderUid)}>Part {progress.placed - parts.indexOf(part)}</a>
      ),
    },
    {
      name: 'State',
      render: (part) => {
        const { label, tone } = findPartState(part, order.state, now)
        return <Chip tone={tone}>{label}</Chip>
      },
    },
    { name: 'Placed', render: ({ creationDate }) => <TimeText time={creationDate} /> },
    { name: 'Valid until', render: ({ validTo }) => <TimeText time={validTo * 1_000} /> },
    { name: 'Received', render: (part) => <Received network={network} part={part} /> },
    { name: 'Price', render: (part) => <PriceText network={network} exchange={part} /> },
  ]
  return <DataTable caption="Parts, newest first" columns={columns} rows={parts} keyOf={({ orderUid }) => orderUid} />
}

type PartProps = { network: Network; part: Part }

const Received = ({ network, part: { buyToken, executedBuyAmount } }: PartProps) =>
  executedBuyAmount === '0' ? '–' : <TokenAmount network={network} token={buyToken} amount={executedBuyAmount} />
