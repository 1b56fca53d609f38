import type { Hex } from 'viem'
import { signCancellations } from '../../../helpers/orders/signCancellation.ts'
import type { SimulatedAccount, World } from '../../world.ts'

/** Cancels orders of an account by one signed request. */
export const cancelOffChain = async (world: World, account: SimulatedAccount, uids: Hex[]): Promise<void> => {
  const body = await signCancellations(uids, 'eip712', account.signer)
  const response = await world.service.orders.fetch('http://orders/api/v1/orders', {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  world.log('cancellation', { uids, status: response.status })
  if (response.status !== 200) return
  for (const uid of uids) {
    const order = world.orders.get(uid)
    if (order) order.cancelledAt = world.chain.head().number
  }
}
