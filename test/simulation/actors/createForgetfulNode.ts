import { network } from '../market.ts'
import type { Participant, World } from '../world.ts'

/** Logs that the node leaves out of blocks whose other logs it has. */
const forms = ['trades', 'laterTrades', 'settlements'] as const
/** blocks between two omissions, of one, and after one until the index must be whole again */
const [calmBlocks, mostOmitted, recoveryBlocks] = [8, 4, 10]

/** A node that leaves a part of the logs out of searches, receipts and filters alike, and has them later. */
export const createForgetfulNode = (
  world: World,
  name: string,
  later: (milliseconds: number, work: () => void) => void,
): Participant => {
  const dice = world.dice(name)
  const form = dice.pick(forms)
  const { weather } = world
  let next = calmBlocks
  return {
    name,
    act: ({ number }) => {
      if (number < next) return
      const blocks = dice.between(1, mostOmitted)
      weather.hidesLogs = form
      weather.isForgetting = true
      weather.disturbedAt = number + blocks + recoveryBlocks
      next = weather.disturbedAt + calmBlocks
      world.log('weather', { kind: 'forgets', logs: form, blocks })
      later(blocks * network.blockTimeSeconds * 1_000, () => {
        weather.hidesLogs = undefined
        world.log('weather', { kind: 'calm' })
      })
    },
  }
}
