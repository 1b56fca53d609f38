import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** In calm weather, no step of the clock fails. */
export const checkSteps = ({ weather, failedSteps }: World, block: Block): void => {
  const [failed] = failedSteps.splice(0)
  if (failed !== undefined && block.number > weather.disturbedAt) throw new Violation('steps', failed)
}
