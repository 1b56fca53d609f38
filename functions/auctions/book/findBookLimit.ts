import type { Hex } from 'viem'
import type { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { BookDeps } from './bookDeps.ts'
import type { Places } from './places.ts'
import type { PriceCache } from './requestPrices.ts'

/** Blocks for which the same orders have their turn, so that a full book does not change with every block. */
const blocksOfTurn = 5

/** Orders in turn of a full book: the turn's number, and the UIDs behind which it and the next turn begin. */
export type Turn = { number: number | undefined; after: Hex; end: Hex | undefined }

/**
 * The bound of an auction with too many orders, the turn, which changes every `blocksOfTurn` blocks, and the orders
 * that had places without a solution.
 */
export const findBookLimit = (
  { maxOrders }: Pick<BookDeps, 'maxOrders'>,
  memory: { turn: Turn; prices: PriceCache; places: Places },
  block: IndexedBlock,
): Parameters<typeof selectCandidates>[5] => {
  const number = Math.floor(block.number / blocksOfTurn)
  if (memory.turn.number !== number) {
    const after = memory.turn.end ?? block.hash
    memory.turn = { number, after, end: undefined }
  }
  const prices = new Map(
    [...memory.prices].flatMap(([token, { price = 0 }]) => (isComputable(price) ? [[token, price] as const] : [])),
  )
  return { maxOrders, prices, turnAfter: memory.turn.after, ...memory.places.list(block.number, memory.prices) }
}

/** A native price whose products and quotients with amounts the database can represent: it refuses others. */
const isComputable = (price: number): boolean => price > 1e-90 && price < 1e90
