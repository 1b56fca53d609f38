import { Violation } from '../invariants/violation.ts'
import type { RunTerms, SimulationResult } from '../simulate.ts'

type Shrunk = { blocks: number; without: readonly string[] }

const nameFailure = ({ failure }: SimulationResult): string | undefined => {
  if (failure === undefined) return undefined
  return failure instanceof Violation ? failure.invariant : String(failure)
}

/**
 * Searches a shorter run of the same seed that breaks the same invariant: no block after the failure, and without each
 * actor that is not needed for it. Actors choose independently, so the others act as before.
 * @param tell receives a line for each attempt
 */
export const shrinkRun = async (
  run: (terms: RunTerms) => Promise<SimulationResult>,
  terms: RunTerms,
  failed: SimulationResult,
  tell: (line: string) => void,
): Promise<Shrunk> => {
  const name = nameFailure(failed)
  let best: Shrunk = { blocks: failed.blocks + 1, without: terms.without ?? [] }
  for (const actor of failed.actors) {
    const without = [...best.without, actor]
    const result = await run({ ...terms, blocks: best.blocks, without })
    const isSame = nameFailure(result) === name
    tell(`without ${actor}: ${isSame ? `fails at block ${result.blocks}` : 'does not fail'}`)
    if (isSame) best = { blocks: Math.min(best.blocks, result.blocks + 1), without }
  }
  return best
}
