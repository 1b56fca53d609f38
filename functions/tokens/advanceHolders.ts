import { type Address, encodeFunctionData, type Hex } from 'viem'
import { callTogether, toReturned } from '#shared/chain/callTogether.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import type { Holder } from './holderSource.ts'
import type { Checkpoint, HolderStore } from './holderStore.ts'

export type HolderIndexDeps = {
  chain: ChainClient
  store: HolderStore
  token: Address
  /** the first block with a log of the token */
  startBlock: number
  /** so many of the largest are read again each time */
  shown: number
  /** blocks asked for at once; moves with what the node manages */
  span: { blocks: number }
  /** Unix milliseconds */
  now: () => number
}

const maxSpan = 100_000
/** A node has to list about as many logs at most. */
const manyLogs = 5_000
/** Blocks looked at again: of several nodes behind one URL, one may not have had the newest. */
const overlap = 3
const balancesPerCall = 200
/** units: plenty for any balance */
const gasEach = 300_000n
/** A token with more holders is for providers. */
const maxNamed = 5_000_000
/** What precedes an address in a topic. */
const addressPadding = `0x${'0'.repeat(24)}`

/**
 * Brings the holders of a token up to the head of the chain: logs say who may have another balance than before, whatever the
 * token calls its events; `balanceOf` says which. Blocks that a reorganisation took away are taken back first. Nothing is
 * stored before the head has been seen once more with the same hash, so no two branches are mixed.
 * @param until Unix milliseconds: no further step begins then
 * @returns false when there is more to do
 * @throws Error when the node fails or moves meanwhile; what was stored before holds
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
    callData: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
  }))
  const answers = await callTogether(chain, calls, { gasEach, blockNumber: BigInt(head.number) })
  if (answers.includes('notAsked')) throw new Error('the balances take more calls than there may be')
  await checkSame(chain, head)
  store.saveBalances(
    accounts.map((address, i): Holder => ({ address, balance: toBalance(toReturned(answers[i])) })),
    head,
  )
}

/** A token that refuses to say a balance, as some do for the zero address, lists nobody there. */
const toBalance = (answer: Hex | undefined): bigint => (answer && answer.length === 66 ? BigInt(answer) : 0n)

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
