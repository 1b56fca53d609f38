import type { Address } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { selectPairDepth } from './pairDepth.ts'

const chainId = 1
const [base, quote, other] = ['0a', '0b', '0c'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
const { database, close } = await startTestDatabase()
afterAll(close)

test('the depth of a pair has what the orders of the newest auction still trade, the best price first', async () => {
  const sell = { chainId, sellToken: base, buyToken: quote, sellAmount: 100n }
  const buy = { chainId, sellToken: quote, buyToken: base, buyAmount: 10n }
  const rows = [
    newOrder(1, { ...sell, buyAmount: 300n }),
    newOrder(2, { ...sell, buyAmount: 201n, partiallyFillable: true, executedSellAmount: 50n, availableBalance: 25n }),
    newOrder(3, { ...sell, buyAmount: 100n, partiallyFillable: true, availableBalance: 0n }),
    newOrder(4, { ...buy, sellAmount: 15n }),
    newOrder(5, { ...buy, sellAmount: 19n }),
    newOrder(6, { ...sell, buyToken: other, buyAmount: 1n }),
    newOrder(7, { ...sell, buyAmount: 150n }),
    newOrder(8, { ...sell, chainId: 2, buyAmount: 150n }),
  ]
  for (const row of rows) await storeOrder(database, row)
  const entry = ({ chainId: of, uid }: (typeof rows)[number]) => ({
    chainId: of,
    orderUid: uid,
    enteredAuctionId: 5,
    body: { uid },
  })
  // the seventh has left
  await database
    .insert(auctionEntries)
    .values(rows.map((row, i) => ({ ...entry(row), leftAuctionId: i === 6 ? 6 : null })))
  const depth = await selectPairDepth(database, chainId, { base: [base], quote: [quote] })
  expect(depth).toEqual({
    sells: [
      { sell: 25n, buy: 51n },
      { sell: 100n, buy: 300n },
    ],
    buys: [
      { sell: 19n, buy: 10n },
      { sell: 15n, buy: 10n },
    ],
  })
  const inverse = await selectPairDepth(database, chainId, { base: [quote], quote: [base] })
  expect(inverse).toEqual({ sells: depth.buys, buys: depth.sells })
})

measureRows(
  selectPairDepth,
  (database, h) => selectPairDepth(database, h.chainId, { base: [h.sellToken], quote: [h.buyToken] }),
  { reads: (h) => 2 * h.openOrders },
)
