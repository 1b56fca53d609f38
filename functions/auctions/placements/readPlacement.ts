import { type Address, type Hex, hexToBigInt, type ParseEventLogsReturnType, size, slice } from 'viem'
import type { Network } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { Order } from '#shared/signing/order.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { onchainOrdersAbi } from './onchainOrdersAbi.ts'

export type PlacementLog = ParseEventLogsReturnType<typeof onchainOrdersAbi, 'OrderPlacement', true>[number]

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

/** keccak-256 of the enum names, as in the signed struct */
const kinds = new Map<Hex, Order['kind']>([
  ['0xf3b277728b3fee749481eb3e0b3b48980dbbab78658fc419025cb16eee346775', 'sell'],
  ['0x6ed88e868af0a1983e3886d5f3e95a2fafbd6c3450bc229e27342283dc429ccc', 'buy'],
])
const balances = new Map<Hex, Order['sellTokenBalance']>([
  ['0x5a28e9363bb942b639270062aa6bb295f434bcdfc42c97267bf003f272060dc9', 'erc20'],
  ['0xabee3b73373acd583a130924aad6dc38cfdc44ba0555ba94ce2ff63980ea0632', 'external'],
  ['0x4ac99ace14ee0a5ef932dc609df0943ab7ac16b7583634612f8dc35a4289a6ce', 'internal'],
])

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
  const order = readOrder(args.order)
  const sender = lower(args.sender)
  const authority = readAuthority(args.signature, sender)
  if (!order || !authority) return undefined
  const contract = lower(address)
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

const readOrder = (signed: PlacementLog['args']['order']): Order | undefined => {
  const kind = kinds.get(signed.kind)
  const sellTokenBalance = balances.get(signed.sellTokenBalance)
  const buyTokenBalance = balances.get(signed.buyTokenBalance)
  if (!kind || !sellTokenBalance || !buyTokenBalance || buyTokenBalance === 'external') return undefined
  return {
    sellToken: lower(signed.sellToken),
    buyToken: lower(signed.buyToken),
    receiver: lower(signed.receiver),
    sellAmount: signed.sellAmount,
    buyAmount: signed.buyAmount,
    validTo: signed.validTo,
    appDataHash: signed.appData,
    feeAmount: signed.feeAmount,
    kind,
    partiallyFillable: signed.partiallyFillable,
    sellTokenBalance,
    buyTokenBalance,
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
    owner: lower(slice(data, 0, ownerBytes)),
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

const lower = (hex: Hex): Address => hex.toLowerCase() as Address
