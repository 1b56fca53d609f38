import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { tokens } from '../../tables/markets/tokens.ts'
import { inSeconds, toDate } from './inSeconds.ts'
import { newestReferredTrades } from './newestReferredTrades.ts'
import type { EligibilityReason } from './referredTrades.ts'
import type { Row } from './rewardTerms.ts'
import { toTraderBytes } from './toTraderBytes.ts'

/** Metadata of a token; undefined until it is requested from the token. */
type TradedToken = { address: Address; details: { decimals: number; symbol: string | null } | undefined }

/** A trade with an affiliate code. */
export type ReferredTrade = {
  chainId: number
  settledAt: Date
  transactionHash: Hex
  orderUid: Hex
  sellToken: TradedToken
  buyToken: TradedToken
  /** atoms */
  sellAmount: bigint
  buyAmount: bigint
  /** US dollars; null: unknown */
  value: number | null
  countedValue: number
  referrerCode: string
  /** null when the trader has no code */
  boundCode: string | null
  isBound: boolean
  reason: EligibilityReason
}

/** Number of listed trades of a trader. */
const shownTrades = 50

type TradeColumns =
  | 'chain_id'
  | 'settled_at'
  | 'transaction_hash'
  | 'order_uid'
  | 'sell_token'
  | 'buy_token'
  | 'sell_amount'
  | 'buy_amount'
  | 'counted_value'
  | 'referrer_code'
  | 'reason'

type NullableTradeColumns = 'value' | 'bound_code' | 'sell_decimals' | 'sell_symbol' | 'buy_decimals' | 'buy_symbol'

type TradeRow = Row<TradeColumns> & { [column in NullableTradeColumns]: string | null } & { is_bound: boolean | null }

/** Trades of a trader with a code, newest first, at most 50. */
export const selectTraderActivity = async (database: Database, trader: Address): Promise<ReferredTrade[]> => {
  const { rows } = await database.execute<TradeRow>(sql`
    with ${newestReferredTrades(toTraderBytes(trader), shownTrades)}
    select j.chain_id, ${inSeconds(sql`j.settled_at`)} as settled_at,
      ${inHex('transaction_hash')}, ${inHex('order_uid')}, ${inHex('sell_token')}, ${inHex('buy_token')},
      j.sell_amount, j.buy_amount, j.value, j.counted_value, j.referrer_code, j.bound_code, j.is_bound, j.reason,
      sold.decimals as sell_decimals, sold.symbol as sell_symbol,
      bought.decimals as buy_decimals, bought.symbol as buy_symbol
    from judged j
    left join ${tokens} sold on sold.chain_id = j.chain_id and sold.address = j.sell_token
    left join ${tokens} bought on bought.chain_id = j.chain_id and bought.address = j.buy_token
    order by j.number desc
    limit ${shownTrades}`)
  return rows.map((row) => ({
    chainId: Number(row.chain_id),
    settledAt: toDate(row.settled_at),
    transactionHash: row.transaction_hash as Hex,
    orderUid: row.order_uid as Hex,
    sellToken: toToken(row.sell_token, row.sell_decimals, row.sell_symbol),
    buyToken: toToken(row.buy_token, row.buy_decimals, row.buy_symbol),
    sellAmount: BigInt(row.sell_amount),
    buyAmount: BigInt(row.buy_amount),
    value: row.value === null ? null : Number(row.value),
    countedValue: Number(row.counted_value),
    referrerCode: row.referrer_code,
    boundCode: row.bound_code,
    isBound: row.is_bound ?? false,
    reason: row.reason as EligibilityReason,
  }))
}

const inHex = (column: string): SQL => sql.raw(`'0x' || encode(j.${column}, 'hex') as ${column}`)

const toToken = (address: string, decimals: string | null, symbol: string | null): TradedToken => ({
  address: address as Address,
  details: decimals === null ? undefined : { decimals: Number(decimals), symbol },
})
