import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** calm blocks after which the index is at the head again; less than the watchdog's minute */
const boundBlocks = 3

/** The index follows the chain. */
export const createProgressCheck = (world: World) => {
  let behindSince: number | undefined
  return (block: Block, cursor: number | undefined): void => {
    if (cursor === block.number || block.number <= world.weather.disturbedAt) {
      behindSince = undefined
      return
    }
    behindSince ??= block.number
    if (block.number - behindSince >= boundBlocks)
      throw new Violation('progress', `the index is at ${cursor ?? 'a replaced block'}, the chain at ${block.number}`)
  }
}
