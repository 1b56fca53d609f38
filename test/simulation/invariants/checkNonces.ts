import type { Address } from 'viem'
import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** In calm weather, no solver has a transaction that waits for a nonce which nothing has. */
export const checkNonces = ({ chain, weather }: World, solvers: readonly Address[], block: Block): void => {
  if (block.number <= weather.disturbedAt) return
  for (const solver of solvers) {
    const next = chain.countPendingNonce(solver)
    const ahead = chain.pending().find(({ from, nonce }) => from === solver && nonce > next)
    if (ahead) throw new Violation('nonces', `${solver} sent nonce ${ahead.nonce}, the next is ${next}`)
  }
}
