import { BaseError } from 'viem'

/**
 * Whether a call failed because of the contract that was called: it reverted, burned all gas or returned more than fits.
 * False when the node is to blame, so that an outage is never taken for what a contract says.
 */
export const isContractFault = (error: unknown): boolean =>
  error instanceof BaseError && /out ?of ?gas|revert/i.test(error.details)
