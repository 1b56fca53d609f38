import type { Address } from 'viem'
import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/**
 * In calm weather, no solver has a transaction that waits for a missing nonce, and none pays for an empty one: those fill
 * missing nonces, and replace settlements that are late.
 */
export const checkNonces = ({ chain, weather }: World, solvers: readonly Address[], block: Block): void => {
  if (block.number <= weather.disturbedAt) return
  for (const solver of solvers) {
    const next = chain.countPendingNonce(solver)
    const ahead = chain.pending().find(({ from, nonce }) => from === solver && nonce > next)
    if (ahead) throw new Violation('nonces', `${solver} sent nonce ${ahead.nonce}, the next is ${next}`)
    const empty = block.receipts.find(({ transaction }) => transaction.from === solver && transaction.to === solver)
    if (empty)
      throw new Violation('nonces', `${solver} paid for an empty transaction at nonce ${empty.transaction.nonce}`)
  }
}
