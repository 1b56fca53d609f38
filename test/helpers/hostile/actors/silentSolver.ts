import { solveRequestSchema } from '#shared/solvers/driverApi.ts'
import type { CreateActor } from '../arena.ts'
import { buildClaims } from '../buildClaims.ts'

/** A solver that wins with plausible prices and never responds to `/settle`. */
export const silentSolver: CreateActor = (arena, dice) => {
  const driver = arena.drivers.silent
  return {
    name: 'silent solver',
    pauseMs: [60_000, 60_000],
    prepare: async () => {
      driver.solve = (request) =>
        buildClaims(solveRequestSchema.parse(request), driver.address, () =>
          dice.chance(0.7) ? BigInt(dice.between(10_000, 10_025)) : undefined,
        )
      driver.settle = () => {
        arena.count('silent solver wins')
        return new Promise(() => undefined)
      }
    },
    act: async () => undefined,
  }
}
