import type { JsonObject } from '#shared/jsonObject.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import type { Refutation } from './verifyEstimate.ts'

/** A solver's offer that its simulation contradicted. Such an offer is never returned as a quote. */
export class RefutedError extends SolverError {
  readonly refutation: Refutation

  constructor(refutation: Refutation) {
    super('Refuted', refutation.reason)
    this.name = 'RefutedError'
    this.refutation = refutation
  }

  /** Client-facing form of a refutation, amounts as decimal strings. */
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
