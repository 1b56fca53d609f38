import { type AccessList, type Hex, zeroAddress } from 'viem'
import { createPayoutAccess } from '#shared/chain/calls/createPayoutAccess.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import { decodeSettlement } from './decodeSettlement.ts'

/**
 * What a solver declares for its settlement so that proxies can take ether; empty without payouts of ether.
 * @param uids orders of the settlement
 * @throws viem errors when the node does not respond
 */
export const findSettlementAccess = async (
  { network, chain }: { network: Pick<Network, 'settlementContract'>; chain: Pick<ChainClient, 'request'> },
  uids: Iterable<Hex>,
  calldata: Hex,
): Promise<AccessList> => {
  const paid = decodeSettlement(calldata)?.trades.filter(({ order }) => order.buyToken === nativeSentinel) ?? []
  const receivers = new Set(paid.map(({ order }) => order.receiver))
  if (receivers.delete(zeroAddress)) for (const uid of uids) receivers.add(unpackOrderUid(uid).owner)
  if (receivers.size === 0) return []
  const found = await createPayoutAccess(chain, network.settlementContract)(receivers)
  return [...found.values()].flat()
}
