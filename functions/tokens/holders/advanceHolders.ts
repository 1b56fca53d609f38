import type { Address, Hex } from 'viem'
import { encodeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import { readSingleWord } from '#shared/chain/calls/readWord.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { Holder } from './holderSource.ts'
import type { Checkpoint, HolderStore } from './holderStore.ts'

export type HolderIndexDeps = {
  chain: ChainClient
  store: HolderStore
  token: Address
  /** the first block with a log of the token */
  startBlock: number
  /** number of largest holders that are read again on each run */
  shown: number
  /** blocks per log query; adapts to the node */
  span: { blocks: number }
  /** Unix milliseconds */
  now: () => number
}

const maxSpan = 100_000
/** Target maximum of logs per query. */
const manyLogs = 5_000
/** Blocks read again, because a lagging node behind the URL may not have had the newest ones. */
const overlap = 3
const balancesPerCall = 200
/** gas units per call, sufficient for any balance */
const gasEach = 300_000n
/** Tokens with more holders are left to providers. */
const maxNamed = 5_000_000
/** Padding of an address in a topic. */
const addressPadding = `0x${'0'.repeat(24)}`

/**
 * Updates the holder index of a token to the head of the chain. Addresses in topics of any event name accounts whose balance
 * may have changed; `balanceOf` reads their balances. Blocks that a reorganisation removed are rewound first. Results are
 * stored only after the head still has the same hash, so that no two branches are mixed.
 * @param until Unix milliseconds: no further step starts after this time
 * @returns false when the index is not at the head yet
 * @throws Error when the node fails or the head moves meanwhile; steps stored before remain valid
 */
export const advanceHolders = async (deps: HolderIndexDeps, until: number): Promise<boolean> => {
  const { store, shown, now } = deps
  const head = await findHead(deps.chain)
  await rewindToCommon(deps, head)
  for (let indexed = findIndexed(deps); indexed < head.number; indexed = findIndexed(deps)) {
    if (now() >= until) return false
    await readNames(deps, indexed, head)
  }
  for (;;) {
    const due = store.findDue(head.number, shown, balancesPerCall)
    if (due.length === 0) break
    if (now() >= until) return false
    await readBalances(deps, due, head)
  }
  store.prune()
  return true
}

const findIndexed = ({ store, startBlock }: HolderIndexDeps): number => store.findIndexed() ?? startBlock - 1

const rewindToCommon = async ({ chain, store }: HolderIndexDeps, head: Checkpoint): Promise<void> => {
  const checkpoints = store.findCheckpoints()
  for (const [i, { number, hash }] of checkpoints.entries()) {
    if (number > head.number) continue
    const block = number === head.number ? head : await findBlock(chain, number)
    if (block.hash !== hash) continue
    if (i > 0) store.rewind(number)
    return
  }
  if (checkpoints.length > 0) store.clear()
}

const readNames = async (
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
  await checkSame(chain, head)
  store.saveNamed([...new Set(logs.flatMap(({ topics }) => toAccounts(topics)))], toBlock, head)
  const factor = logs.length > manyLogs ? 0.5 : 2
  span.blocks = Math.min(maxSpan, Math.max(1, Math.floor(span.blocks * factor)))
}

const toAccounts = (topics: readonly Hex[]): Address[] =>
  topics
    .slice(1)
    .filter((topic) => topic.startsWith(addressPadding))
    .map((topic): Address => `0x${topic.slice(addressPadding.length).toLowerCase()}`)

const readBalances = async (
  { chain, store, token }: HolderIndexDeps,
  accounts: readonly Address[],
  head: Checkpoint,
): Promise<void> => {
  const calls = accounts.map((account) => ({
    target: token,
    callData: encodeBalance(account),
  }))
  const answers = await callTogether(chain, calls, { gasEach, blockNumber: BigInt(head.number) })
  if (answers.includes('notAsked')) throw new Error('the balances exceed the limit of calls')
  await checkSame(chain, head)
  store.saveBalances(
    accounts.map((address, i): Holder => ({ address, balance: toBalance(toReturned(answers[i])) })),
    head,
  )
}

/** A reverting `balanceOf`, as some tokens have for the zero address, counts as 0. */
const toBalance = (answer: Hex | undefined): bigint => readSingleWord(answer) ?? 0n

const checkSame = async (chain: ChainClient, head: Checkpoint): Promise<void> => {
  const { hash } = await findBlock(chain, head.number)
  if (hash !== head.hash) throw new Error(`block ${head.number} moved`)
}

const findHead = async (chain: ChainClient): Promise<Checkpoint> => {
  const { number, hash } = await chain.getBlock({ blockTag: 'latest' })
  if (number === null || hash === null) throw new Error('the node has no head')
  return { number: Number(number), hash }
}

const findBlock = async (chain: ChainClient, number: number): Promise<Pick<Checkpoint, 'hash'>> => {
  const { hash } = await chain.getBlock({ blockNumber: BigInt(number) })
  if (hash === null) throw new Error(`block ${number} has no hash`)
  return { hash }
}
