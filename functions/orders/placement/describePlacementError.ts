import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import { describeAmounts, describeToken, type FindToken } from '#shared/tokens/tokenWords.ts'

/** The error with its amounts in token units: "the owner's balance is 0 of 1,000 DAI". Its data stays in atoms. */
export const describePlacementError = (error: ApiError, find: FindToken): ApiError => {
  const { errorType, data } = error
  const { available, required, token } = data ?? {}
  const isBalance = errorType === 'InsufficientBalance'
  if (!isBalance && errorType !== 'InsufficientAllowance') return error
  if (typeof available !== 'string' || typeof required !== 'string' || typeof token !== 'string') return error
  // of a partially fillable order any part will do
  const isNone = available === '0' && required === '1'
  const amount = isNone ? undefined : describeAmounts([available, required], token as Address, find)
  const what = isBalance ? "the owner's balance" : "the vault relayer's allowance"
  const description = amount ? `${what} is ${amount}` : `${what} of ${describeToken(token as Address, find)} is 0`
  return new ApiError(errorType, { description, data: data ?? {} })
}
