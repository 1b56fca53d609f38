import { zeroAddress } from 'viem'
import { useTransaction } from '../../actions/useTransaction.ts'
import { useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { TimeText } from '../../ui/TimeText.tsx'
import { useNow } from '../../ui/useNow.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'
import { TransactionButton } from '../TransactionButton.tsx'
import { buildRemoval } from './buildRemoval.ts'
import { type ConditionalOrder, describeEvaluation, describeProgress, typeNames } from './describeConditional.ts'
import { loadConditionalOrders } from './loadConditionalOrders.ts'

const everyMs = 10_000

type Props = { network: Network; account: string }

/** The newest conditional orders of an account, below everything that must not move: nothing while it has none. */
export const ConditionalOrders = ({ network, account }: Props) => {
  const { data } = useRequest(
    network.composableCow === zeroAddress ? null : `conditional orders ${network.name} ${account}`,
    (signal) => loadConditionalOrders(network, { owner: account }, signal),
    everyMs,
  )
  if (!data || data.length === 0) return null
  const columns: Column<ConditionalOrder>[] = [
    { name: 'Type', render: ({ type }) => typeNames[type] },
    { name: 'Progress', render: (order) => <Progress network={network} order={order} /> },
    { name: 'Next evaluation', render: ({ next }) => <NextEvaluation next={next} /> },
    { name: 'Newest evaluation', render: ({ evaluation }) => describeEvaluation(evaluation) },
    { name: 'Action', render: (order) => <Removal network={network} order={order} /> },
  ]
  return (
    <section class="panel" aria-label="Conditional orders">
      <h2>Conditional orders</h2>
      <DataTable caption="Conditional orders, newest first" columns={columns} rows={data} keyOf={({ hash }) => hash} />
    </section>
  )
}

type RowProps = { network: Network; order: ConditionalOrder }

const Progress = ({ network, order }: RowProps) => {
  const [newest] = order.parts
  if (!newest) return describeProgress(order)
  return (
    <>
      {describeProgress(order)} <a href={paths.order(network.name, newest.orderUid)}>Newest part</a>
    </>
  )
}

const NextEvaluation = ({ next }: Pick<ConditionalOrder, 'next'>) => {
  const now = useNow()
  if (!next) return 'None, it has ended'
  return Date.parse(next.time) > now ? <TimeText time={next.time} /> : `From block ${next.blockNumber} on`
}

/** Ends a conditional order by a transaction of its owner. The list shows it as ended once the service has seen that. */
const Removal = ({ network, order: { owner, hash, state, proof } }: RowProps) => {
  const { connection } = useWallet()
  const transaction = useTransaction(connection)
  const isOwner = connection?.address === owner && connection.chainId === network.chainId
  if (state === 'ended') return '–'
  // the registry ends orders of a merkle tree by another root only
  if (proof.length > 0) return 'Ended by another root'
  if (!isOwner) return 'Connect its owner to cancel it'
  return (
    <TransactionButton
      label="Cancel"
      style="small"
      state={transaction.state}
      send={() => transaction.send(buildRemoval(network.composableCow, hash))}
      stop={transaction.stop}
    />
  )
}
