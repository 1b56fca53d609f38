import type { Address, Hex } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { ReadAt } from '../pools/readAt.ts'
import type { BroadcastMemory } from '../sending/broadcast.ts'
import type { SenderClient } from '../sending/connectSender.ts'
import type { RepricedSettlement } from '../solutions/repriceSettlement.ts'
import type { Retries } from './retries.ts'
import type { SettlementStore } from './settlementStore.ts'
import type { SettlementFate, SettlementOutcome, Submission } from './submission.ts'

/** Dependencies of advancing a submission. */
export interface SubmissionDeps {
  store: SettlementStore
  client: SenderClient
  chainId: number
  blockTimeSeconds: number
  settlementContract: Address
  /** signs and pays for the settlements */
  account: LocalAccount
  memory: BroadcastMemory
  /** when settlements that revert behind others are simulated again */
  retries: Retries
  /**
   * blocks without a settlement after which it is signed again with higher fees; 0: only when its fee cap is too low
   */
  bumpBlocks: number
  /** upper bound of a cancellation's fee cap, as a multiple of the node's suggestion */
  cancellationFeeMultiple: bigint
  /** the settlement for the pools as they are now; undefined when an order would get less than proposed */
  reprice: (submission: Submission, at: ReadAt) => Promise<RepricedSettlement | undefined>
  /** called once an outcome is stored; again when a reorganisation reverted the first one */
  onOutcome: (solutionId: number, outcome: SettlementOutcome) => void
  /** called with each outcome as well; undefined for other reasons */
  onFate?: (solutionId: number, fate: SettlementFate | undefined) => void
  /** called with each reverted settlement and its cost */
  onRevert: (revert: { hash: Hex; gasUsed: bigint; wei: bigint }) => void
  /** called with the reason why the queue waits, in one line without secrets */
  onHindrance: (reason: string) => void
}
