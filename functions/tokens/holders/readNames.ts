import type { Address, Hex } from 'viem'
import { checkHead } from './checkHead.ts'
import type { HolderIndexDeps } from './holderIndexDeps.ts'
import type { Checkpoint } from './holderStore.ts'

const maxSpan = 100_000

/** Target maximum of logs per query. */
const manyLogs = 5_000

/** Blocks read again, because a lagging node behind the URL may not have had the newest ones. */
const overlap = 3

/** Tokens with more holders are left to providers. */
const maxNamed = 5_000_000

/** Padding of an address in a topic. */
const addressPadding = `0x${'0'.repeat(24)}`

/** Reads the next logs of the token, and names the accounts in them. */
export const readNames = async (
  { chain, store, token, startBlock, span }: HolderIndexDeps,
  indexed: number,
  head: Checkpoint,
): Promise<void> => {
  if (store.countNamed() > maxNamed) throw new Error(`more than ${maxNamed} accounts`)
  const fromBlock = Math.max(startBlock, indexed + 1 - overlap, 0)
  const toBlock = Math.min(head.number, indexed + span.blocks)
  const range = { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }
  const logs = await chain.getLogs({ address: token, ...range }).catch((error: unknown) => {
    span.blocks = Math.max(1, Math.floor(span.blocks / 4))
    throw error
  })
  await checkHead(chain, head)
  store.saveNamed([...new Set(logs.flatMap(({ topics }) => toAccounts(topics)))], toBlock, head)
  const factor = logs.length > manyLogs ? 0.5 : 2
  span.blocks = Math.min(maxSpan, Math.max(1, Math.floor(span.blocks * factor)))
}

const toAccounts = (topics: readonly Hex[]): Address[] =>
  topics
    .slice(1)
    .filter((topic) => topic.startsWith(addressPadding))
    .map((topic): Address => `0x${topic.slice(addressPadding.length).toLowerCase()}`)
