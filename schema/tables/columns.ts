import { bigint, customType, integer } from 'drizzle-orm/pg-core'
import type { Address, Hex } from 'viem'

/** Bytes: `0x` hex in TypeScript, `bytea` in the database. */
const bytea = <T extends Hex>() =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'bytea',
    toDriver: (hex) => `\\x${hex.slice(2)}`,
    fromDriver: (text) => `0x${text.slice(2)}` as T,
  })

export const address = bytea<Address>()
export const hash = bytea<Hex>()
export const orderUid = bytea<Hex>()
export const bytes = bytea<Hex>()

/** 64-bit id of a database transaction: `bigint` in TypeScript. */
export const transactionId = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'xid8',
  toDriver: (value) => value.toString(),
  fromDriver: (text) => BigInt(text),
})

/** Unsigned 256-bit integer, atoms or wei: `bigint` in TypeScript. */
export const uint256 = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (text) => BigInt(text),
})

/** Integer of any size: `bigint` in TypeScript. */
export const wholeNumber = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric',
  toDriver: (value) => value.toString(),
  fromDriver: (text) => BigInt(text),
})

/** Columns of the place of an event of the chain, the primary key of its table. */
export const logPlace = () => ({
  chainId: integer('chain_id').notNull(),
  blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
  logIndex: integer('log_index').notNull(),
})
