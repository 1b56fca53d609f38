import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { describeAmounts } from '#shared/tokens/tokenWords.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { DiagnosisFacts, Event, Facts } from './diagnosisFacts.ts'

/** Diagnosis of a filled order. */
export const diagnoseFilled = (order: StoredOrder, facts: Facts): Diagnosis => ({
  code: 'fulfilled',
  severity: 'ok',
  since: newestOf(facts, 'traded')?.createdAt ?? null,
  message: `The order is filled: ${describeAmounts([order.executedSellAmount.toString()], order.sellToken, facts.words.find)} for ${describeAmounts([order.executedBuyAmount.toString()], order.buyToken, facts.words.find)}.`,
  suggestion: null,
  data: {
    executedSellAmount: order.executedSellAmount.toString(),
    executedBuyAmount: order.executedBuyAmount.toString(),
    ...(facts.trades[0] ? { transaction: facts.trades[0].transactionHash } : {}),
  },
})

/** Diagnosis of an order that its owner cancelled or replaced, or its contract cancelled on-chain. */
export const diagnoseCancelled = (order: StoredOrder, facts: Facts): Diagnosis => {
  const event = newestOf(facts, 'cancelled')
  const since = order.cancelledAt ?? event?.createdAt ?? null
  const ended = { severity: 'ok', since, suggestion: null } as const
  const by = { owner: order.owner }
  if (order.cancelledAt === null) {
    const code = 'cancelled_on_chain'
    const contract = typeof event?.data?.by === 'string' ? event.data.by : order.owner
    const { onchainUser } = order
    if (onchainUser !== null && onchainUser !== contract) {
      const message = `The contract ${contract} that placed the order for ${onchainUser} cancelled it on-chain.`
      return { ...ended, code, message, data: { ...by, contract, onchainUser } }
    }
    const message = 'The owner cancelled the order on-chain, by a transaction to the settlement contract.'
    return { ...ended, code, message, data: by }
  }
  const replacedBy = event?.data?.replacedBy
  if (typeof replacedBy === 'string') {
    const message = `The owner replaced the order by the order ${replacedBy}.`
    return { ...ended, code: 'replaced', message, data: { ...by, replacedBy } }
  }
  return { ...ended, code: 'cancelled_off_chain', message: 'The owner cancelled the order by a signature.', data: by }
}

/** The newest event of a kind. */
export const newestOf = ({ events }: DiagnosisFacts, label: Event['label']): Event | undefined =>
  events.findLast((event) => event.label === label)
