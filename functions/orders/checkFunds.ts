import type { AppDataMeaning } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { ChainFacts } from './findChainFacts.ts'
import type { OrderCreation } from './orderCreation.ts'

/**
 * The owner holds what the order sells, and the vault relayer may move it: sellAmount + feeAmount, or any positive part of
 * a partially fillable order without `fullBalanceCheck`.
 *
 * An order whose app data brings its tokens or its approval along (pre-hooks, a flash loan, a wrapper) passes: what the owner
 * holds now says nothing about what it will hold then. A hook may answer only to the contract that calls it in a settlement,
 * so running it from anywhere else would refuse good orders. An auction takes the order once it is funded.
 * @throws ApiError `InsufficientBalance`, `InsufficientAllowance`; `TransferSimulationFailed` when the sell token does not
 *   answer like an ERC-20
 */
export const checkFunds = (
  order: Pick<OrderCreation, 'sellToken' | 'sellAmount' | 'feeAmount' | 'partiallyFillable' | 'fullBalanceCheck'>,
  { hooks, borrowsFunds }: Pick<AppDataMeaning, 'hooks' | 'borrowsFunds'>,
  { balance, allowance }: Pick<ChainFacts, 'balance' | 'allowance'>,
): void => {
  if (hooks.pre.length > 0 || borrowsFunds) return
  if (balance === undefined || allowance === undefined) {
    throw new ApiError('TransferSimulationFailed', { data: { sellToken: order.sellToken } })
  }
  const anyPart = order.partiallyFillable && !order.fullBalanceCheck
  const required = anyPart ? 1n : order.sellAmount + order.feeAmount
  const toData = (available: bigint) => ({ available: available.toString(), required: required.toString() })
  if (balance < required) throw new ApiError('InsufficientBalance', { data: toData(balance) })
  if (allowance < required) throw new ApiError('InsufficientAllowance', { data: toData(allowance) })
}
