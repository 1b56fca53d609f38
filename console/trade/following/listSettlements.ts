import type { components } from '../../api/openapi.d.ts'

type OrderEvent = Pick<components['schemas']['OrderEvent'], 'label' | 'blockNumber' | 'data' | 'trade'>

/**
 * Transactions that settled an order, in order, without those undone by a reorganisation of the chain.
 * @param events oldest first
 */
export const listSettlements = (events: readonly OrderEvent[]): string[] => {
  const settled = events.flatMap(({ trade, blockNumber }, index) => {
    if (!trade) return []
    const isUndone = events
      .slice(index + 1)
      .some(({ label, data }) => label === 'undone' && data?.label === 'traded' && data.blockNumber === blockNumber)
    return isUndone ? [] : [trade.transactionHash]
  })
  return [...new Set(settled)]
}
