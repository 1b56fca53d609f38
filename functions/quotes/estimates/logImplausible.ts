import { logEntry } from '#shared/logging/logEntry.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import type { ImplausibleEstimate } from './computePlausibleEstimates.ts'

/** Logs which solver's estimate was dropped as implausible, with its amounts. */
export const logImplausible = ({ estimate, worth, reason }: ImplausibleEstimate): void => {
  const { solver, sellAmount, buyAmount } = estimate
  logEntry({
    message: 'estimate dropped',
    solver: solver.name,
    reason,
    worth,
    sellAmount: sellAmount.toString(),
    buyAmount: buyAmount.toString(),
  })
}

export const toSolverFailure = ({ estimate, reason }: ImplausibleEstimate) => ({
  solver: estimate.solver.name,
  error: new SolverError('Implausible', reason),
})
