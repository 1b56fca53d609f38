import type { AppDataMeaning } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'
import type { ChainFacts } from './findChainFacts.ts'

/**
 * The owner holds what the order sells, and the vault relayer may move it: sellAmount + feeAmount, or any positive part of
 * a partially fillable order without `fullBalanceCheck`.
 *
 * Tokens and approvals that pre-hooks bring count, because the facts are those after them. An order whose tokens come from a
 * flash loan or a wrapper passes, and so does one with pre-hooks when the node could not run them: what the owner holds now
 * says nothing about what it will hold then. An auction takes the order once it is funded.
 * @throws ApiError `InsufficientBalance`, `InsufficientAllowance`; `TransferSimulationFailed` when the sell token does not
 *   answer like an ERC-20
 */
export const checkFunds = (
  order: Pick<OrderCreation, 'sellToken' | 'sellAmount' | 'feeAmount' | 'partiallyFillable' | 'fullBalanceCheck'>,
  { hooks, borrowsFunds }: Pick<AppDataMeaning, 'hooks' | 'borrowsFunds'>,
  { balance, allowance, hooksRan }: Pick<ChainFacts, 'balance' | 'allowance' | 'hooksRan'>,
): void => {
  if (borrowsFunds || (hooks.pre.length > 0 && !hooksRan)) return
  if (balance === undefined || allowance === undefined) {
    throw new ApiError('TransferSimulationFailed', { data: { sellToken: order.sellToken } })
  }
  const anyPart = order.partiallyFillable && !order.fullBalanceCheck
  const required = anyPart ? 1n : order.sellAmount + order.feeAmount
  const toData = (available: bigint) => ({ available: available.toString(), required: required.toString() })
  if (balance < required) throw new ApiError('InsufficientBalance', { data: toData(balance) })
  if (allowance < required) throw new ApiError('InsufficientAllowance', { data: toData(allowance) })
}
