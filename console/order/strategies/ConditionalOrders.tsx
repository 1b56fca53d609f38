import { zeroAddress } from 'viem'
import { useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { ConditionalCard } from './ConditionalCard.tsx'
import { loadConditionalOrders } from './loadConditionalOrders.ts'
import './strategies.css'

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
  return (
    <section class="panel" aria-label="Conditional orders">
      <h2>Conditional orders</h2>
      <ul class="conditional-orders">
        {data.map((order) => (
          <ConditionalCard key={order.hash} network={network} order={order} />
        ))}
      </ul>
    </section>
  )
}
