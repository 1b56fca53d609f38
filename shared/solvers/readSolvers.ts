import { z } from 'zod'
import { connectSolvers, type Solver, type SolverEntry } from './solverList.ts'

/** The last step of parsing `SOLVERS`: connects the solvers; a missing service binding is a fault of the setting. */
export const readSolvers = (
  env: Record<string, unknown> & { SOLVERS: SolverEntry[] },
  context: z.RefinementCtx,
): Solver[] => {
  try {
    return connectSolvers(env.SOLVERS, env)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'a solver cannot be connected'
    context.addIssue({ code: 'custom', path: ['SOLVERS'], message })
    return z.NEVER
  }
}
