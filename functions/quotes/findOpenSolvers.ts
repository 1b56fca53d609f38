import type { Address } from 'viem'
import { checkNotPaused, type FindPauses, withoutPaused } from '#shared/pauses/pauses.ts'
import type { Solver } from '#shared/solvers/solverList.ts'

/**
 * Finds the solvers that may quote a pair: all that are not paused.
 * @throws ApiError as `checkNotPaused`
 */
export const findOpenSolvers = async (
  { findPauses, solvers }: { findPauses: FindPauses; solvers: readonly Solver[] },
  tokens: { sellToken: Address; buyToken: Address },
): Promise<readonly Solver[]> => {
  const pauses = await findPauses()
  checkNotPaused(pauses, 'quotes', tokens)
  return withoutPaused(pauses, solvers)
}
