import { type Address, type Hex, hexToBigInt, type ParseEventLogsReturnType, size, slice } from 'viem'
import type { Network } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { Order } from '#shared/signing/order.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { readPlacedOrder } from '#shared/signing/readPlacedOrder.ts'
import { toLowerAddress } from '../../chain/toLowerAddress.ts'
import type { onchainOrdersAbi } from './onchainOrdersAbi.ts'

type PlacementLog = ParseEventLogsReturnType<typeof onchainOrdersAbi, 'OrderPlacement', true>[number]

/** An on-chain placement before its references are resolved. */
export type Placement = {
  blockNumber: number
  logIndex: number
  contract: Address
  sender: Address
  uid: Hex
  owner: Address
  order: Order
  signingScheme: 'eip1271' | 'presign'
  /** signature after the owner, with `eip1271` */
  signature: Hex
  /** quote id of the sender; null without one */
  quoteId: number | null
  /**
   * last valid second chosen by the sender, Unix, because the contract for native tokens signs the maximum; null: the
   * signed one
   */
  userValidTo: number | null
}

const ownerBytes = 20
/** the same bound as for orders over the API */
const maxSignatureBytes = 8_192
const noEnd = 0xffffffff

/**
 * Reads an `OrderPlacement` event. The owner is the contract in the signature (EIP-1271), or the sender, who signs by
 * transaction (pre-signature).
 * @returns undefined for an invalid order: an unknown enum value or signature scheme
 */
export const readPlacement = (
  { address, args, blockNumber, logIndex }: PlacementLog,
  network: Pick<Network, 'chainId' | 'settlementContract' | 'wrappedNative'>,
): Placement | undefined => {
  const order = readPlacedOrder(args.order)
  const sender = toLowerAddress(args.sender)
  const authority = readAuthority(args.signature, sender)
  if (!order || !authority) return undefined
  const contract = toLowerAddress(address)
  const domainSeparator = computeDomainSeparator(network.chainId, network.settlementContract)
  const { quoteId, validTo } = readExtra(args.data)
  const sellsNative =
    authority.signingScheme === 'eip1271' &&
    authority.owner === contract &&
    order.sellToken === network.wrappedNative &&
    order.validTo === noEnd
  return {
    ...authority,
    blockNumber: Number(blockNumber),
    logIndex,
    contract,
    sender,
    order,
    uid: packOrderUid(computeOrderDigest(domainSeparator, order), authority.owner, order.validTo),
    quoteId,
    userValidTo: sellsNative ? validTo : null,
  }
}

const readAuthority = (
  { scheme, data }: PlacementLog['args']['signature'],
  sender: Address,
): Pick<Placement, 'owner' | 'signingScheme' | 'signature'> | undefined => {
  if (scheme === 1) return { owner: sender, signingScheme: 'presign', signature: '0x' }
  const bytes = size(data)
  if (scheme !== 0 || bytes < ownerBytes || bytes > ownerBytes + maxSignatureBytes) return undefined
  return {
    owner: toLowerAddress(slice(data, 0, ownerBytes)),
    signingScheme: 'eip1271',
    signature: bytes === ownerBytes ? '0x' : slice(data, ownerBytes),
  }
}

/** Contracts made for an order book append 12 bytes: quote id, int64, and last valid second, uint32, big-endian. */
const readExtra = (data: Hex): { quoteId: number | null; validTo: number | null } => {
  if (size(data) !== 12) return { quoteId: null, validTo: null }
  const quoteId = hexToBigInt(slice(data, 0, 8), { signed: true })
  return {
    quoteId: quoteId > 0n && quoteId <= Number.MAX_SAFE_INTEGER ? Number(quoteId) : null,
    validTo: Number(hexToBigInt(slice(data, 8))),
  }
}
