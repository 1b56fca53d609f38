import type { HookOutcome } from '#shared/hooks/hookOutcome.ts'
import type { invalidations } from '../../tables/chain/invalidations.ts'
import type { presignatures } from '../../tables/chain/presignatures.ts'
import type { orders } from '../../tables/orders/orders.ts'
import type { executions } from '../../tables/settlements/executions.ts'
import type { settlements } from '../../tables/settlements/settlements.ts'
import type { trades } from '../../tables/settlements/trades.ts'
import type { ConditionalEvents } from '../strategies/insertConditionalEvents.ts'
import type { IndexedBlock } from './blocks.ts'
import type { OnchainOrderEvents } from './insertContractEvents.ts'

type NewRow<Row> = Omit<Row, 'chainId'>

/** Events of the settlement contract and of placement contracts in a range of blocks, and their consequences. */
export type ChainEvents = {
  settlements: NewRow<typeof settlements.$inferInsert>[]
  trades: NewRow<typeof trades.$inferInsert>[]
  invalidations: NewRow<typeof invalidations.$inferInsert>[]
  presignatures: NewRow<typeof presignatures.$inferInsert>[]
  executions: NewRow<typeof executions.$inferInsert>[]
  /** what the hooks of traded orders did, by trade, as far as nodes trace it */
  hookOutcomes: { blockNumber: number; logIndex: number; hooks: HookOutcome[] }[]
  /** orders known only from their settlements */
  jitOrders: (NewRow<typeof orders.$inferInsert> & { jitBlock: number })[]
  onchainOrders: OnchainOrderEvents
  conditional: ConditionalEvents
}

/** A range of blocks that adds nothing. */
export const noEvents: ChainEvents & Pick<ChainUpdate, 'blocks'> = {
  settlements: [],
  trades: [],
  invalidations: [],
  presignatures: [],
  executions: [],
  hookOutcomes: [],
  jitOrders: [],
  onchainOrders: { placements: [], placedOrders: [], cancellations: [], refunds: [] },
  conditional: { created: [], roots: [] },
  blocks: [],
}

export type ChainUpdate = ChainEvents & {
  /** one more than `toBlock` when blocks are only undone */
  fromBlock: number
  toBlock: number
  /** the last blocks of the range, at most `storedBlocks` */
  blocks: IndexedBlock[]
  /** first block replaced by a reorganisation; everything from there on is undone first */
  undoFrom: number | null
}
