import type { Address, Hex } from 'viem'
import { poolMoverAddress } from '../actors/createPoolMover.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** weight of failures with which a solver yields an order, as in `computeRules` of the service */
const faultWeight = 12

/**
 * No honest solver yields an order whose settlements failed behind moved pools: the pool mover moves them for fewer blocks
 * than that takes. Checked in its runs only, because other strangers, and processes that die, make a solver yield.
 * @param honest solvers
 */
export const checkYielded = async ({ database, chain }: World, honest: readonly Address[]): Promise<void> => {
  if (chain.countPendingNonce(poolMoverAddress) === 0) return
  const rows = await database.read(
    `select order_uid, solver, faults from settlement_failures where faults >= ${faultWeight} order by order_uid, solver`,
  )
  const yielded = rows.find(({ solver }) => honest.includes(`0x${solver?.slice(2)}`))
  if (!yielded) return
  const uid: Hex = `0x${yielded.order_uid?.slice(2)}`
  throw new Violation('yielded', `the honest solver ${yielded.solver} yields it, by a weight of ${yielded.faults}`, uid)
}
