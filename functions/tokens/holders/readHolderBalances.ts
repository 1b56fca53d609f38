import type { Address } from 'viem'
import { encodeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import { readSingleWord } from '#shared/chain/calls/readWord.ts'
import { checkHead } from './checkHead.ts'
import type { HolderIndexDeps } from './holderIndexDeps.ts'
import type { Holder } from './holderSource.ts'
import type { Checkpoint } from './holderStore.ts'

/** gas units per call, sufficient for any balance */
const gasEach = 300_000n

/** Reads the balances of accounts, all of one block. */
export const readHolderBalances = async (
  { chain, store, token }: HolderIndexDeps,
  accounts: readonly Address[],
  head: Checkpoint,
): Promise<void> => {
  const calls = accounts.map((account) => ({
    target: token,
    callData: encodeBalance(account),
  }))
  const results = await callTogether(chain, calls, { gasEach, blockNumber: BigInt(head.number) })
  if (results.includes('notRequested')) throw new Error('the balances exceed the limit of calls')
  await checkHead(chain, head)
  // a reverting `balanceOf`, as some tokens have for the zero address, counts as 0
  store.saveBalances(
    accounts.map((address, i): Holder => ({ address, balance: readSingleWord(toReturned(results[i])) ?? 0n })),
    head,
  )
}
