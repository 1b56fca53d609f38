import { zeroAddress } from 'viem'
import { useTransaction } from '../actions/useTransaction.ts'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { TransactionButton } from '../order/TransactionButton.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { useNow } from '../ui/useNow.ts'
import { useWallet } from '../wallet/WalletProvider.tsx'
import { buildRemoval } from './buildRemoval.ts'
import { type ConditionalOrder, describeEvaluation, describeProgress, typeNames } from './describeConditional.ts'

/** Newest conditional orders of an account; each is one request more. */
const maxListed = 10
const everyMs = 10_000

type Props = { network: Network; account: string }

/** The newest conditional orders of an account. Nothing while it has none, as below everything that must not move. */
export const ConditionalOrders = ({ network, account }: Props) => {
  const { data } = useRequest(
    network.composableCow === zeroAddress ? null : `conditional orders ${network.name} ${account}`,
    (signal) => loadConditionalOrders(network, account, signal),
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
    <section class="panel" id="conditional-orders" aria-label="Conditional orders">
      <h2>Conditional orders</h2>
      <DataTable caption="Conditional orders, newest first" columns={columns} rows={data} keyOf={({ hash }) => hash} />
    </section>
  )
}

const loadConditionalOrders = async (network: Network, owner: string, signal: AbortSignal) => {
  const params = { path: { network: network.name }, query: { owner, limit: maxListed } }
  const listed = await read(client.GET('/{network}/api/v1/conditional_orders', { params, signal }))
  return Promise.all(
    listed.map(({ hash }) =>
      read(
        client.GET('/{network}/api/v1/conditional_orders/{owner}/{hash}', {
          params: { path: { network: network.name, owner, hash } },
          signal,
        }),
      ),
    ),
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
