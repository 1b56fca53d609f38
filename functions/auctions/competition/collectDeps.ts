import type { Hex } from 'viem'
import type { SolveBases } from '../solvers/solveBodies.ts'
import type { CompetitionDeps } from './competitionDeps.ts'
import type { Readability } from './createReadability.ts'
import type { Rules } from './rules.ts'

export type CollectSolutionsDeps = Pick<
  CompetitionDeps,
  'network' | 'solvers' | 'now' | 'log' | 'solveTimeMs' | 'jitOrderOwners' | 'background'
> &
  Pick<Rules, 'findAllowed' | 'exclusionOf' | 'maySee'> & {
    bases: SolveBases
    readability: Readability
    /** finds which of these orders are stored */
    findListed: (uids: readonly Hex[]) => Promise<ReadonlySet<Hex>>
  }
