import { shorten } from '../../ui/shorten.ts'
import type { NetworkStatus } from './alarmRules.ts'

/** What a solver is called here, or its address when it is not known any more. */
export const nameSolver = (solvers: NetworkStatus['solvers'], address: string): string =>
  solvers.find((solver) => solver.address === address)?.name ?? shorten(address)
