import { zeroAddress } from 'viem'
import { useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import type { Order } from '../loading/loadOrder.ts'
import { describeProgress, typeNames } from './describeConditional.ts'
import { loadConditionalOrders } from './loadConditionalOrders.ts'

/** The conditional order of a part, for the end of a list of facts: it appears when it has loaded. */
export const PartOf = ({ network, order }: { network: Network; order: Order }) => {
  const canBePart = order.signingScheme === 'eip1271' && network.composableCow !== zeroAddress
  // its fill or end changes the progress
  const key = `conditional order of ${network.name} ${order.uid} ${order.status}`
  const { data } = useRequest(canBePart ? key : null, (signal) =>
    loadConditionalOrders(network, { orderUid: order.uid }, signal),
  )
  const found = data?.[0]
  if (!found) return null
  return (
    <div>
      <dt>Part of</dt>
      <dd>
        <a href={paths.account(network.name, order.owner)}>{typeNames[found.type]}</a>
        <span class="fine"> {describeProgress(found)}</span>
      </dd>
    </div>
  )
}
