import { type Hex, slice, zeroAddress } from 'viem'
import type { ChainEvents } from '#schema/queries/chain/chainUpdate.ts'
import type { Network } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { DecodedTrade } from '../../settlement/decodeSettlement.ts'

type JitOrder = ChainEvents['jitOrders'][number]

const addressBytes = 20

/**
 * Builds the order of a just-in-time trade from the settlement's calldata. The settlement contract verified its
 * signature.
 * @param trade its `Trade` event
 * @param settledAt time of the block
 * @returns undefined when calldata and event describe different orders
 */
export const buildJitOrder = (
  { chainId, settlementContract }: Pick<Network, 'chainId' | 'settlementContract'>,
  { order, scheme, signature }: DecodedTrade,
  trade: Pick<ChainEvents['trades'][number], 'orderUid' | 'owner' | 'blockNumber'>,
  settledAt: Date,
): JitOrder | undefined => {
  const { receiver, ...terms } = order
  const digest = computeOrderDigest(computeDomainSeparator(chainId, settlementContract), order)
  const uid = packOrderUid(digest, trade.owner, order.validTo)
  if (uid !== trade.orderUid) return undefined
  return {
    ...terms,
    uid,
    owner: trade.owner,
    receiver: receiver === zeroAddress ? null : receiver,
    signingScheme: scheme,
    signature: toStoredSignature(scheme, signature),
    settlementContract,
    class: 'liquidity',
    fullBalanceCheck: false,
    createdAt: settledAt,
    jitBlock: trade.blockNumber,
  }
}

/** Strips the owner that the settlement contract expects before an EIP-1271 signature. */
const toStoredSignature = (scheme: DecodedTrade['scheme'], signature: Hex): Hex => {
  if (scheme === 'presign') return '0x'
  if (scheme !== 'eip1271') return signature
  return signature.length > 2 + 2 * addressBytes ? slice(signature, addressBytes) : '0x'
}
