import { shorten } from '../../ui/shorten.ts'
import type { NetworkStatus } from './networkStatus.ts'

/** Name of a solver, or its address when it is no longer configured. */
export const nameSolver = (solvers: NetworkStatus['solvers'], address: string): string =>
  solvers.find((solver) => solver.address === address)?.name ?? shorten(address)
