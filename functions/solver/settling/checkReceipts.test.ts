import { expect, test } from 'vitest'
import { createBroadcastMemory } from '../sending/broadcast.ts'
import { checkReceipts } from './checkReceipts.ts'
import type { ConfirmingSubmission } from './submission.ts'

/** Runs the check with one confirming settlement, and returns the remembered blocks. */
const check = async (outcome: ConfirmingSubmission['outcome']) => {
  const memory = createBroadcastMemory()
  memory.decidedIn.set('0x01', 1).set('0x02', 2)
  const confirming = { solutionId: 1, signed: { nonce: 7 }, outcome, settlementHashes: [] }
  // the node lags: the settlement's nonce is free there
  await checkReceipts({ memory, store: { findConfirming: () => [confirming] } } as never, 7)
  return [...memory.decidedIn.keys()]
}

test('forgets the blocks of reverted settlements when none was mined', async () => {
  expect(await check({ mined: false, reason: 'reverted on the chain' })).toEqual([])
})

test('remembers the blocks while a settlement is mined, also from a node that lags', async () => {
  expect(await check({ mined: true })).toEqual(['0x01', '0x02'])
})
