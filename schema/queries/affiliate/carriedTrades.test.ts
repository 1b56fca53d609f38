import type { Hex } from 'viem'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { insertCarriedTrades, selectTradesToCarry } from './carriedTrades.ts'

measureRows(
  insertCarriedTrades,
  async (database, { chainId }) =>
    insertCarriedTrades(database, chainId, await selectTradesToCarry(database, chainId, 500)),
  // the trades that are read, and those of an hour of each sum
  { reads: (h) => 500 * 8 + Math.ceil(h.orders / 7_200) * 8 },
)
// a trade of another database
measureRows(
  insertCarriedTrades,
  async (database, { chainId, busyOwner, uid, sellToken, buyToken, orders }) => {
    const toBytea = (hex: Hex) => `\\x${hex.slice(2)}`
    const trade = {
      chain_id: chainId,
      block_number: orders * 3,
      log_index: 1,
      settled_at: new Date(),
      trader: toBytea(busyOwner),
      transaction_hash: toBytea(hashOf(1)),
      order_uid: toBytea(uid),
      sell_token: toBytea(sellToken),
      buy_token: toBytea(buyToken),
      sell_amount: 1,
      buy_amount: 1,
      price: null,
      referrer_code: 'CODE',
      order_created_at: new Date(),
    }
    const part = { block: 0, undone: 1, reach: orders * 3, isLast: false, finalAt: null }
    await insertCarriedTrades(database, chainId, { ...part, trades: JSON.stringify([trade]) })
  },
  { reads: 200 },
)
measureRows(selectTradesToCarry, (database, h) => selectTradesToCarry(database, h.chainId, 500), { reads: 500 * 8 })
