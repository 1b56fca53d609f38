import type { Address } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { buildSettledWin } from '#test/helpers/database/buildSettledWin.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSettlement } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { selectRecordedFees, selectTradelessSettlements } from './fees.ts'

const { chainId } = networks.sepolia
const partner: Address = `0x${'b1'.repeat(20)}`
const { sellToken, buyToken } = newOrder(1)
const solver: Address = `0x${'50'.repeat(20)}`
const ever = { from: new Date(0), until: new Date(Date.now() + 3_600_000) }
const { database, close } = await startTestDatabase()

beforeEach(() => emptyDatabase(database))
afterAll(close)

/** Sells 1,000 for 2,100: 40 atoms of fees in all, of which the given ones, in the buy token, are the protocol's and the partners'. */
const settle = async (block: number, fees: readonly string[], changes: Partial<ReturnType<typeof newOrder>> = {}) => {
  const order = newOrder(block, changes)
  await storeOrder(database, order)
  const win = buildSettledWin(block, block, order.uid, 1_000n)
  const protocolFees = fees.map((amount) => ({ token: buyToken, amount }))
  await database.insert(settlements).values(win.settlements.map((row) => ({ chainId, ...row })))
  await database.insert(trades).values(win.trades.map((row) => ({ chainId, ...row, feeAmount: 3n })))
  await database
    .insert(executions)
    .values(win.executions.map((row) => ({ chainId, ...row, executedFee: 40n, protocolFees })))
}

test('the last fees of an order are those of its partners, and the network fee is its solver', async () => {
  const partnerFees = [{ recipient: partner, kind: 'volume', bps: 25, maxVolumeBps: null }] as const
  await settle(1, ['7', '11'], { partnerFees: [...partnerFees] })
  await settle(2, ['2'])
  const found = await selectRecordedFees(database, chainId, ever)
  expect(
    Object.fromEntries(found.map(({ party, account, token, amount }) => [party, [account, token, amount]])),
  ).toEqual({
    // 40 − ⌈7 / 2.1⌉ − ⌈11 / 2.1⌉ and 40 − ⌈2 / 2.1⌉, beside the signed fees
    solver: [solver, sellToken, 40n - 4n - 6n + 40n - 1n + 6n],
    partner: [partner, buyToken, 11n],
    protocol: [null, buyToken, 9n],
  })
  const yesterday = { from: new Date(0), until: new Date(Date.now() - 86_400_000) }
  expect(await selectRecordedFees(database, chainId, yesterday)).toEqual([])
  expect(await selectRecordedFees(database, networks.gnosis.chainId, ever)).toEqual([])
})

test('a settlement without trades and auction may have paid fees', async () => {
  await settle(1, ['7'])
  const payment = newSettlement(3)
  await database.insert(settlements).values({ chainId, ...payment })
  expect(await selectTradelessSettlements(database, chainId, ever)).toEqual([payment.transactionHash])
})

const day = { from: new Date(Date.now() - 86_400_000), until: new Date() }
measureRows(selectRecordedFees, (database, h) => selectRecordedFees(database, h.chainId, day), {
  reads: (h) => h.rowsOfDays(1, 8),
})
measureRows(selectTradelessSettlements, (database, h) => selectTradelessSettlements(database, h.chainId, day), {
  reads: (h) => h.rowsOfDays(1, 4),
})
