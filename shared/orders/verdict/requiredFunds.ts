import type { Address } from 'viem'
import type { ParsedAppData } from '../../appData/parseAppData.ts'

/**
 * Amount that a flash loan adds to the owner's balance of the sell token. A loan of another token, or to another holder, adds nothing.
 * @returns sell token atoms
 */
export const computeLent = (
  { owner, sellToken }: { owner: Address | null; sellToken: Address },
  appData: Pick<ParsedAppData, 'flashloan'> | null,
): bigint => {
  const loan = appData?.flashloan
  return loan && loan.token === sellToken && loan.receiver === owner ? loan.amount : 0n
}

/**
 * Amount that an order's owner must have and approve: all of a fill-or-kill order, any part of one that may be filled in parts.
 * @param isWhole also all of one that may be filled in parts (`fullBalanceCheck`)
 * @returns sell token atoms
 */
export const computeRequiredFunds = (
  order: { partiallyFillable: boolean; sellAmount: bigint; feeAmount: bigint },
  isWhole = false,
): bigint => (order.partiallyFillable && !isWhole ? 1n : order.sellAmount + order.feeAmount)
