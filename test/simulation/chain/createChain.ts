import { type AccessList, type Address, type Hex, keccak256, toHex } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { computeBloom } from './computeBloom.ts'
import { createStore } from './createStore.ts'
import {
  type BlockEnvironment,
  type CallMessage,
  type Code,
  createMachine,
  type Execution,
  toWeiKey,
} from './machine.ts'

/** A transaction in the mempool. */
export type PendingTransaction = {
  hash: Hex
  from: Address
  to: Address
  data: Hex
  value: bigint
  gas: bigint
  nonce: number
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  accessList?: AccessList
  /** first block that may contain it; nodes do not see it before */
  notBefore: number
}

export type ChainLog = { address: Address; topics: Hex[]; data: Hex; logIndex: number; transactionIndex: number }

/** A mined transaction. */
export type Receipt = {
  transaction: PendingTransaction
  index: number
  succeeded: boolean
  reason: string
  gasUsed: bigint
  effectiveGasPrice: bigint
  logs: ChainLog[]
}

export type Block = BlockEnvironment & {
  hash: Hex
  parentHash: Hex
  logsBloom: Hex
  receipts: Receipt[]
  /** journal of the state before and after its transactions */
  startMark: number
  endMark: number
}

/** Facts of a block that a call replaces. */
export type BlockFacts = { number?: number; timestamp?: number }

export type ChainTerms = {
  contracts: ReadonlyMap<Address, Code>
  /** Unix seconds of block 0 */
  genesisTime: number
  blockTimeSeconds: number
  baseFee: bigint
}

/** replaced blocks whose states are retained */
const storedBlocks = 40
/** gas units */
const blockGas = 30_000_000n
const coinbase: Address = `0x${'c0'.repeat(20)}`
const zeroHash: Hex = `0x${'0'.repeat(64)}`
/** a replacement of a pending transaction pays at least a tenth more, as with geth */
const replacementPercent = 110n

/** Base fee of the next block: an eighth nearer to the target at most (EIP-1559). */
const moveBaseFee = (baseFee: bigint, target: bigint): bigint => {
  const step = maxOf(1n, baseFee / 8n)
  return target > baseFee ? minOf(target, baseFee + step) : maxOf(target, baseFee - step)
}

/** Error of a node that refuses a transaction. */
export class TransactionRefusal extends Error {
  override name = 'TransactionRefusal'
}

/**
 * A chain in memory: blocks, a mempool, reorganisations. Transactions are mined by their tip; those of one account in
 * the order of their nonces.
 */
export const createChain = (terms: ChainTerms) => {
  const store = createStore()
  const machine = createMachine(store, terms.contracts)
  const blocks: Block[] = []
  const byHash = new Map<Hex, Receipt & { block: Block }>()
  let pool: PendingTransaction[] = []
  let baseFee = terms.baseFee
  let targetFee = baseFee

  const nonceKey = (account: Address) => `nonce ${account}`
  const head = (): Block => {
    const last = blocks.at(-1)
    if (!last) throw new Error('the chain has no block')
    return last
  }
  const countNonce = (account: Address): number => Number(store.get(nonceKey(account)))

  const toFacts = (number: number, salt: number): BlockEnvironment => ({
    number,
    // a replaced block has its own time, as long as it is later than its parent's
    timestamp: terms.genesisTime + number * terms.blockTimeSeconds + (salt % terms.blockTimeSeconds),
    baseFee,
  })

  /** A replaced block, with the words that distinguish its state from that at a mark of the journal. */
  type Replaced = {
    block: Block
    /** number of the newest block of those that replaced it */
    by: number
    mark: number
    words: ReadonlyMap<string, bigint>
  }
  let replaced: Replaced[] = []
  /** Retains the states of the last blocks, from the first to undo on; those retained before begin where it begins. */
  const keepStates = (undone: readonly Block[], mark: number): Replaced[] => {
    const readWords = (at: number) => store.before(at, () => store.changedSince(mark))
    const by = undone.length + blocks.length
    return [
      ...replaced.map((one) =>
        one.mark <= mark ? one : { ...one, mark, words: new Map([...readWords(one.mark), ...one.words]) },
      ),
      ...undone.map((block) => ({ block, by, mark, words: readWords(block.endMark) })),
    ].slice(-storedBlocks)
  }

  /** Applies a transaction to the state; undefined when it cannot be in the block. */
  const apply = (
    transaction: PendingTransaction,
    facts: BlockEnvironment,
  ): (Execution & { price: bigint }) | undefined => {
    const { from, to, data, value, gas, nonce, maxFeePerGas, maxPriorityFeePerGas, accessList = [] } = transaction
    if (nonce !== countNonce(from) || maxFeePerGas < facts.baseFee) return undefined
    const price = facts.baseFee + minOf(maxFeePerGas - facts.baseFee, maxPriorityFeePerGas)
    const wei = store.get(toWeiKey(from))
    if (wei < gas * maxFeePerGas + value) return undefined
    store.set(nonceKey(from), BigInt(nonce + 1))
    store.set(toWeiKey(from), wei - gas * price)
    const execution = machine.execute(
      { from, to, data, value, gas, gasPrice: price, accessList },
      { ...facts, coinbase },
    )
    store.set(toWeiKey(from), store.get(toWeiKey(from)) + (gas - execution.gasUsed) * price)
    return { ...execution, price }
  }

  const byTip = (a: PendingTransaction, b: PendingTransaction): number =>
    a.maxPriorityFeePerGas === b.maxPriorityFeePerGas ? 0 : a.maxPriorityFeePerGas < b.maxPriorityFeePerGas ? 1 : -1

  const fill = (facts: BlockEnvironment): Receipt[] => {
    const receipts: Receipt[] = []
    let gasLeft = blockGas
    let logIndex = 0
    let waiting = pool.filter(({ notBefore }) => notBefore <= facts.number).toSorted(byTip)
    for (let isMoving = true; isMoving; ) {
      isMoving = false
      for (const transaction of waiting) {
        if (transaction.gas > gasLeft) continue
        const done = apply(transaction, facts)
        if (!done) continue
        gasLeft -= done.gasUsed
        const index = receipts.length
        const logs = done.logs.map((log) => ({ ...log, logIndex: logIndex++, transactionIndex: index }))
        const { succeeded, reason, gasUsed, price } = done
        receipts.push({ transaction, index, succeeded, reason, gasUsed, effectiveGasPrice: price, logs })
        waiting = waiting.filter((other) => other !== transaction)
        isMoving = true
        break
      }
    }
    return receipts
  }

  /** Mines one block; `salt` distinguishes it from another block of the same height. */
  const mine = (salt = 0): Block => {
    const number = blocks.length
    const facts = toFacts(number, salt)
    const parentHash = blocks.at(-1)?.hash ?? zeroHash
    const startMark = store.mark()
    const receipts = fill(facts)
    const done = new Set(receipts.map(({ transaction }) => transaction))
    pool = pool.filter((transaction) => !done.has(transaction) && transaction.nonce >= countNonce(transaction.from))
    const logs = receipts.flatMap((receipt) => receipt.logs)
    const hash = keccak256(
      toHex(`${number} ${parentHash} ${salt} ${receipts.map(({ transaction }) => transaction.hash)}`),
    )
    const logsBloom = computeBloom(logs)
    const block = { ...facts, hash, parentHash, logsBloom, receipts, startMark, endMark: store.mark() }
    blocks.push(block)
    baseFee = moveBaseFee(baseFee, targetFee)
    for (const receipt of receipts) byHash.set(receipt.transaction.hash, { ...receipt, block })
    return block
  }

  return {
    store,
    machine,
    blocks: blocks as readonly Block[],
    head,
    mine,
    /** Replaces the last blocks; their transactions return to the mempool, except those that `isLost` names. */
    reorganise: (depth: number, salt: number, isLost: (transaction: PendingTransaction) => boolean): void => {
      const undone = blocks.splice(blocks.length - depth)
      const first = undone[0]
      if (!first) return
      replaced = keepStates(undone, first.startMark)
      store.revertTo(first.startMark)
      baseFee = first.baseFee
      const back = undone.flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction))
      for (const { hash } of back) byHash.delete(hash)
      pool = [...back.filter((transaction) => !isLost(transaction)), ...pool]
      for (let i = 0; i <= depth; i += 1) mine(salt)
    },
    /** The base fee moves there with the next blocks, as demand for gas would move it. */
    aimBaseFee: (wei: bigint): void => {
      targetFee = wei
    },
    /** base fee of the next block */
    baseFee: (): bigint => baseFee,
    pending: (): readonly PendingTransaction[] => pool,
    countNonce,
    /** Nonce after all pending transactions of the account that follow each other. */
    countPendingNonce: (account: Address): number => {
      let nonce = countNonce(account)
      const own = new Set(pool.filter(({ from }) => from === account).map((transaction) => transaction.nonce))
      while (own.has(nonce)) nonce += 1
      return nonce
    },
    /** @throws TransactionRefusal in the words of geth */
    submit: (transaction: PendingTransaction): void => {
      if (byHash.has(transaction.hash) || pool.some(({ hash }) => hash === transaction.hash))
        throw new TransactionRefusal('already known')
      if (transaction.nonce < countNonce(transaction.from))
        throw new TransactionRefusal(`nonce too low: next nonce ${countNonce(transaction.from)}`)
      const same = pool.find(({ from, nonce }) => from === transaction.from && nonce === transaction.nonce)
      const isHigher = (later: bigint, earlier: bigint) => later * 100n >= earlier * replacementPercent
      const canReplace =
        same &&
        isHigher(transaction.maxFeePerGas, same.maxFeePerGas) &&
        isHigher(transaction.maxPriorityFeePerGas, same.maxPriorityFeePerGas)
      if (same && !canReplace) throw new TransactionRefusal('replacement transaction underpriced')
      pool = [...pool.filter((other) => other !== same), transaction]
    },
    findReceipt: (hash: Hex) => byHash.get(hash),
    /** Runs a message on the state after a block, in that block or with the facts of another; nothing remains of it. */
    callAt: (block: Block, message: CallMessage, program?: Code, inside: BlockFacts = {}): Execution => {
      const work = () => {
        const facts = { ...block, ...inside }
        if (!program) return machine.execute(message, facts)
        const own = createMachine(store, new Map([...terms.contracts, [message.to, program]]))
        return own.callPlainly(message, facts)
      }
      return store.before(block.endMark, work)
    },
    /** Runs `work` on the state after the mempool's transactions, which are undone afterwards. */
    onPending: <T>(work: (facts: BlockEnvironment) => T): T => {
      const facts = toFacts(blocks.length, 0)
      return store.before(store.mark(), () => {
        fill(facts)
        return work(facts)
      })
    },
    /** Runs `work` on the state after a block, also after one that was replaced lately. */
    readAt: <T>(block: Block, work: () => T): T => {
      const gone = replaced.find((one) => one.block === block)
      if (!gone) return store.before(block.endMark, work)
      return store.before(gone.mark, () => {
        for (const [key, word] of gone.words) store.set(key, word)
        return work()
      })
    },
    /** Blocks that were replaced lately. @param since the newest block of those that replaced them is not below this */
    replacedSince: (since: number): Block[] => replaced.filter(({ by }) => by >= since).map(({ block }) => block),
  }
}

export type Chain = ReturnType<typeof createChain>
