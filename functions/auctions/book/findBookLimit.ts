import type { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { ClockState } from '../clockState.ts'

/** Blocks for which the same orders have their turn, so that a full book does not change with every block. */
const blocksOfTurn = 5

/** The bound of an auction with too many orders, and whose turn it is; another turn begins every `blocksOfTurn` blocks. */
export const findBookLimit = (
  { maxOrders }: Pick<ClockDeps, 'maxOrders'>,
  state: Pick<ClockState, 'turn' | 'prices'>,
  block: IndexedBlock,
): Parameters<typeof selectCandidates>[5] => {
  const number = Math.floor(block.number / blocksOfTurn)
  if (state.turn.number !== number) {
    const after = state.turn.end ?? block.hash
    state.turn = { number, after, end: undefined }
  }
  const prices = new Map([...state.prices].flatMap(([token, { price }]) => (price ? [[token, price] as const] : [])))
  return { maxOrders, prices, turnAfter: state.turn.after }
}
