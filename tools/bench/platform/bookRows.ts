import { type Address, type Hex, keccak256, pad, toHex } from 'viem'
import type { orders } from '#schema/tables/orders/orders.ts'
import type { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'

const { chainId, wrappedNative, usdReference, settlementContract } = networks.sepolia
export const bookOwner: Address = `0x${'b0'.repeat(20)}`

/** UID of the n-th order of the account. */
export const bookUidOf = (n: number, validTo: number): Hex =>
  packOrderUid(pad(toHex(n), { size: 32 }), bookOwner, validTo)

/** Row of an order of the account. */
export const buildBookOrder = (uid: Hex, validTo: number, appDataHash: Hex): typeof orders.$inferInsert => ({
  chainId,
  uid,
  owner: bookOwner,
  sellToken: wrappedNative,
  buyToken: usdReference.address,
  receiver: null,
  sellAmount: 10n ** 18n,
  buyAmount: 10n ** 12n,
  validTo,
  appDataHash,
  feeAmount: 0n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  signingScheme: 'eip712',
  signature: `0x${'5a'.repeat(65)}`,
  settlementContract,
  class: 'limit',
  quoteId: null,
  fullBalanceCheck: false,
})

/** Row of a trade of an order. */
export const buildBookTrade = (uid: Hex): typeof trades.$inferInsert => ({
  chainId,
  blockNumber: 1_000_000,
  // trades of a history have the first place of their block
  logIndex: 2,
  transactionHash: keccak256('0x01'),
  orderUid: uid,
  owner: bookOwner,
  sellToken: wrappedNative,
  buyToken: usdReference.address,
  sellAmount: 10n ** 18n,
  buyAmount: 10n ** 12n,
  feeAmount: 0n,
  settlementLogIndex: 1,
})
