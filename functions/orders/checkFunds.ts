import { ApiError } from '#shared/http/errors.ts'
import type { ChainFacts } from './findChainFacts.ts'
import type { OrderCreation } from './orderCreation.ts'

/**
 * The owner holds what the order sells, and the vault relayer may move it: sellAmount + feeAmount, or any positive part of
 * a partially fillable order without `fullBalanceCheck`.
 * @throws ApiError `InsufficientBalance`, `InsufficientAllowance`; `TransferSimulationFailed` when the sell token does not
 *   answer like an ERC-20
 */
export const checkFunds = (
  order: Pick<OrderCreation, 'sellToken' | 'sellAmount' | 'feeAmount' | 'partiallyFillable' | 'fullBalanceCheck'>,
  { balance, allowance }: Pick<ChainFacts, 'balance' | 'allowance'>,
): void => {
  if (balance === undefined || allowance === undefined) {
    throw new ApiError('TransferSimulationFailed', { data: { sellToken: order.sellToken } })
  }
  const anyPart = order.partiallyFillable && !order.fullBalanceCheck
  const required = anyPart ? 1n : order.sellAmount + order.feeAmount
  const toData = (available: bigint) => ({ available: available.toString(), required: required.toString() })
  if (balance < required) throw new ApiError('InsufficientBalance', { data: toData(balance) })
  if (allowance < required) throw new ApiError('InsufficientAllowance', { data: toData(allowance) })
}
