import type { Holding } from '../../actions/balances.ts'
import type { ChipTone } from '../../ui/elements/Chip.tsx'
import type { Order } from '../loading/loadOrder.ts'
import { describeStatus, isPartlyFilled } from '../state/describeState.ts'
import { toChipTone } from '../state/toChipTone.ts'

export type RowState = {
  tone: ChipTone
  label: string
  /** allowance that the vault relayer lacks, sell token atoms; null: none */
  needed: bigint | null
}

/**
 * State of an order for its owner: first a cause that blocks it and can be cured now.
 * @param holding of the sell token; undefined: unknown, or not the owner's page
 */
export const computeRowState = (order: Order, holding: Holding | undefined): RowState => {
  const isPartly = isPartlyFilled(order)
  const own = { tone: toChipTone(order.status, isPartly), label: describeStatus(order.status, isPartly), needed: null }
  if (order.status !== 'open' || !holding || order.onchainUser !== undefined) return own
  const rest = BigInt(order.sellAmount) + BigInt(order.feeAmount) - BigInt(order.executedSellAmount)
  const least = order.partiallyFillable ? 1n : rest
  if (holding.balance < least) return { tone: 'act', label: 'Balance too low', needed: null }
  if (holding.allowance < least) return { tone: 'act', label: 'Needs approval', needed: rest }
  return own
}
