import type { Vars } from './networkDeployment.ts'

/** The liquidity of an engine is that of the routes of `multihop`. */
export const toSolverVars = (solver: { strategy: string } | { engine: string }): Vars =>
  'engine' in solver
    ? { SOLVER_STRATEGY: 'multihop', SOLVER_ENGINE_URL: solver.engine }
    : { SOLVER_STRATEGY: solver.strategy }
