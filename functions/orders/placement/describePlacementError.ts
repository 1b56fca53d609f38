import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import { describeAmounts, type FindToken } from '#shared/tokens/tokenWords.ts'

/** The error with its amounts in token units: "the owner's balance is 0 of 1,000 DAI". Its data stays in atoms. */
export const describePlacementError = (error: ApiError, find: FindToken): ApiError => {
  const { errorType, data } = error
  const { available, required, token } = data ?? {}
  const isBalance = errorType === 'InsufficientBalance'
  if (!isBalance && errorType !== 'InsufficientAllowance') return error
  if (typeof available !== 'string' || typeof required !== 'string' || typeof token !== 'string') return error
  const amounts = describeAmounts([available, required], token as Address, find)
  const description = isBalance ? `the owner's balance is ${amounts}` : `the vault relayer's allowance is ${amounts}`
  return new ApiError(errorType, { description, data: data ?? {} })
}
