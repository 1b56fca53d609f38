import type { JsonObject } from '#shared/http/errors.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import type { Refutation } from './verifyEstimate.ts'

/** The offer of a solver does not hold: its simulation showed another result. Such an offer is never a quote. */
export class RefutedError extends SolverError {
  readonly refutation: Refutation

  constructor(refutation: Refutation) {
    super('Refuted', refutation.reason)
    this.name = 'RefutedError'
    this.refutation = refutation
  }

  /** The refutation as a client may see it, amounts as decimal strings. */
  toJson(): JsonObject {
    const { reason, block, detail, shortfall } = this.refutation
    return {
      reason,
      block,
      ...(detail ? { detail } : {}),
      ...(shortfall ? { shortfall: { token: shortfall.token, amount: shortfall.amount.toString() } } : {}),
    }
  }
}
