import { type Hex, pad, toHex } from 'viem'
import type { Database } from '#schema/client.ts'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import { appData } from '#schema/tables/orders/appData.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { networks } from '#shared/networks.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'

const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const validTo = 4_102_444_800
export const documentHash: Hex = '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d'

/** A row to insert, without quote; another `seed` gives another order. */
export const newOrder = (seed: number, changes: Partial<NewOrder> = {}): NewOrder => ({
  chainId: networks.sepolia.chainId,
  uid: orderUidOf(seed, changes.owner),
  owner,
  sellToken: networks.sepolia.wrappedNative,
  buyToken: networks.sepolia.usdReference.address,
  receiver: null,
  sellAmount: 2n ** 256n - 1n,
  buyAmount: 1_000_000_000n,
  validTo,
  appDataHash: documentHash,
  feeAmount: 0n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  signingScheme: 'eip712',
  signature: `0x${'11'.repeat(65)}`,
  settlementContract: networks.sepolia.settlementContract,
  class: 'limit',
  quoteId: null,
  fullBalanceCheck: false,
  fullAppData: '{}',
  ...changes,
})

export const hashOf = (number: number): Hex => pad(toHex(number), { size: 32 })
export const orderUidOf = (seed: number, of = owner as Hex): Hex => packOrderUid(hashOf(seed), of, validTo)

/** Stores an order as it is, with its document and without its events: `insertOrder` sets what on-chain events decide. */
export const storeOrder = async (database: Database, { fullAppData, ...row }: NewOrder): Promise<void> => {
  if (fullAppData !== null) {
    await database.insert(appData).values({ hash: row.appDataHash, fullAppData }).onConflictDoNothing()
  }
  await database.insert(orders).values(row)
}
