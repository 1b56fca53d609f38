import {
  type AccessList,
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializedEIP1559,
} from 'viem'
import { encodeAsSettlement } from '#shared/chain/calls/asSettlement.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { computeBloom } from './computeBloom.ts'
import { toOverriddenKey, toSlotKey } from './contracts/tokenCode.ts'
import {
  type Block,
  type BlockFacts,
  type Chain,
  type ChainLog,
  type PendingTransaction,
  type Receipt,
  TransactionRefusal,
} from './createChain.ts'
import { type Execution, toWeiKey } from './machine.ts'
import { recoverAccount } from './orderSignature.ts'
import { runCallProgram } from './readCallProgram.ts'

/** Error response of a node. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data: Hex | undefined

  constructor(code: number, message: string, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

type Call = {
  from?: Address
  to?: Address
  data?: Hex
  input?: Hex
  gas?: Hex
  value?: Hex
  maxFeePerGas?: Hex
  accessList?: AccessList
}

/**
 * Logs that a node leaves out: all of them, those of searches but not of receipts, all of every second block, or of each
 * block those of one event, or all trades but the first.
 */
export type HiddenLogs = 'all' | 'searches' | 'alternating' | 'trades' | 'laterTrades' | 'settlements'

/** A node's view of the chain: `lag` blocks behind its head, and without some logs. */
export type NodeView = { lag: number; hidesLogs?: HiddenLogs | undefined }

const [tradeTopic, settlementTopic] = (['Trade', 'Settlement'] as const).map(
  (eventName) => encodeEventTopics({ abi: settlementAbi, eventName })[0],
)

const isTrade = ({ topics }: ChainLog): boolean => topics[0] === tradeTopic

/** Logs of a receipt that the node does not leave out of it. */
const listShown = ({ hidesLogs }: NodeView, { number, receipts }: Block, { logs }: Receipt): readonly ChainLog[] => {
  if (hidesLogs === 'all' || (hidesLogs === 'alternating' && number % 2 === 0)) return []
  if (hidesLogs === 'trades') return logs.filter((log) => !isTrade(log))
  if (hidesLogs === 'settlements') return logs.filter(({ topics }) => topics[0] !== settlementTopic)
  if (hidesLogs !== 'laterTrades') return logs
  const first = receipts.flatMap((receipt) => receipt.logs).find(isTrade)
  return logs.filter((log) => log === first || !isTrade(log))
}

const callGas = 50_000_000n
const ranAsSettlement = encodeAsSettlement('0x')
const tip = 1_000_000_000n
const zeroAccount: Address = '0x0000000000000000000000000000000000000000'
const programAccount: Address = '0x00000000000000000000000000000000000000ca'

/** Responds to JSON-RPC requests about a chain. */
export const createNode = (chain: Chain, chainId: number, findAccess: (account: Address) => AccessList = () => []) => {
  const newestOf = ({ lag }: NodeView): Block => {
    const block = chain.blocks[Math.max(0, chain.blocks.length - 1 - lag)]
    if (!block) throw new RpcError(-32_000, 'header not found')
    return block
  }
  const findBlock = (view: NodeView, tag: unknown): Block | undefined => {
    const newest = newestOf(view)
    if (tag === undefined || tag === 'latest' || tag === 'pending') return newest
    const number = Number(BigInt(tag as Hex))
    return number <= newest.number ? chain.blocks[number] : undefined
  }
  const stateOf = (view: NodeView, tag: unknown): Block => {
    const block = findBlock(view, tag)
    if (!block) throw new RpcError(-32_000, 'header not found')
    return block
  }
  const findSeen = (view: NodeView, hash: Hex) => {
    const found = chain.findReceipt(hash)
    return found && found.block.number <= newestOf(view).number ? found : undefined
  }

  /** A program that the settlement contract runs as its own code (`encodeAsSettlement`). */
  const runPlaced = (view: NodeView, call: Call, tag: unknown, code: Hex, facts: BlockFacts): Execution => {
    const execution = chain.callAt(stateOf(view, tag), { ...toMessage(call), data: code }, runCallProgram, facts)
    return { ...execution, returnData: encodeAbiParameters([{ type: 'bytes' }], [execution.returnData]) }
  }
  const run = (
    view: NodeView,
    call: Call,
    tag: unknown,
    overrides: StateOverrides = {},
    facts: BlockFacts = {},
  ): Execution => {
    const [placed] = Object.values(overrides)
    if (placed?.code && call.data === ranAsSettlement) return runPlaced(view, call, tag, placed.code, facts)
    const message = toMessage(call)
    const isProgram = call.to === undefined
    const own = isProgram ? { ...message, to: programAccount, gas: message.gas } : message
    if (tag === 'pending' && view.lag === 0) return chain.onPending((facts) => chain.machine.execute(own, facts))
    return chain.callAt(stateOf(view, tag), own, isProgram ? runCallProgram : undefined, facts)
  }

  const estimate = (view: NodeView, call: Call, tag: unknown, facts: BlockFacts): Hex => {
    const execution = check(run(view, call, tag, {}, facts))
    // calls inside take at most 63/64 of the gas: the limit is above the use
    return numberToHex((execution.gasUsed * 66n) / 64n + 2_000n)
  }

  const simulate = (view: NodeView, request: SimulateRequest, tag: Hex | 'latest') => {
    const block = stateOf(view, tag)
    const calls = request.blockStateCalls.flatMap((part) => part.calls ?? [])
    const overrides = Object.assign({}, ...request.blockStateCalls.map((part) => part.stateOverrides ?? {}))
    const results = chain.readAt(block, () => {
      for (const [account, { stateDiff = {}, balance }] of Object.entries(overrides as StateOverrides)) {
        if (balance) chain.store.set(toWeiKey(account.toLowerCase() as Address), BigInt(balance))
        chain.store.set(toOverriddenKey(account.toLowerCase() as Address), 1n)
        for (const [slot, word] of Object.entries(stateDiff))
          chain.store.set(toSlotKey(account.toLowerCase() as Address, slot.toLowerCase()), BigInt(word))
      }
      const ahead = request.blockStateCalls.length
      const facts = { ...block, number: block.number + ahead, timestamp: block.timestamp + 12 * ahead }
      return calls.map((call) => chain.machine.execute({ ...toMessage(call) }, facts))
    })
    const [last, ...earlier] = request.blockStateCalls.map((_, i) => numberToHex(block.number + 1 + i)).reverse()
    return [
      ...earlier.reverse().map((number) => ({ number, calls: [] })),
      {
        number: last,
        calls: results.map(({ succeeded, returnData, gasUsed }) => ({
          status: succeeded ? '0x1' : '0x0',
          returnData,
          gasUsed: numberToHex(gasUsed),
          logs: [],
        })),
      },
    ]
  }

  /** by raw bytes: solvers broadcast theirs with every block */
  const transactions = new Map<Hex, ReturnType<typeof readTransaction>>()
  const send = (raw: Hex): Hex => {
    const transaction = transactions.get(raw) ?? readTransaction(raw, chainId)
    transactions.set(raw, transaction)
    try {
      chain.submit({ ...transaction, notBefore: 0 })
    } catch (error) {
      if (error instanceof TransactionRefusal) throw new RpcError(-32_000, error.message)
      throw error
    }
    return transaction.hash
  }

  const findLogs = (view: NodeView, filter: LogFilter) => {
    const newest = newestOf(view).number
    const addresses =
      filter.address === undefined ? undefined : [filter.address].flat().map((address) => address.toLowerCase())
    const [first] = filter.topics ?? []
    const topics = first == null ? undefined : [first].flat()
    const matches = ({ address, topics: own }: ChainLog) =>
      (!addresses || addresses.includes(address)) && (!topics || topics.includes(own[0] ?? '0x'))
    const search = (block: Block) =>
      (view.hidesLogs === 'searches' ? [] : block.receipts).flatMap((receipt) =>
        listShown(view, block, receipt)
          .filter(matches)
          .map((log) => toLog(block, receipt, log)),
      )
    if (filter.blockHash) {
      const block = chain.blocks.find(({ hash, number }) => hash === filter.blockHash && number <= newest)
      if (!block) throw new RpcError(-32_000, 'unknown block')
      return search(block)
    }
    const from = Number(BigInt(filter.fromBlock ?? '0x0'))
    const to = filter.toBlock === undefined || filter.toBlock === 'latest' ? newest : Number(BigInt(filter.toBlock))
    return chain.blocks.slice(from, Math.min(to, newest) + 1).flatMap(search)
  }

  const methods: Record<string, (view: NodeView, params: Params) => unknown> = {
    eth_chainId: () => numberToHex(chainId),
    eth_blockNumber: (view) => numberToHex(newestOf(view).number),
    eth_getBlockByNumber: (view, [tag, isFull]) => {
      const block = findBlock(view, tag)
      const transactions = block?.receipts.map(({ transaction, index }) => toTransaction(transaction, block, index))
      return block && isFull ? { ...toBlock(view, block), transactions } : toBlock(view, block)
    },
    eth_getBlockByHash: (view, [hash]) =>
      toBlock(
        view,
        chain.blocks.find((block) => block.hash === hash && block.number <= newestOf(view).number),
      ),
    eth_gasPrice: (view) => numberToHex(newestOf(view).baseFee + tip),
    eth_maxPriorityFeePerGas: () => numberToHex(tip),
    eth_getBalance: (view, [account, tag]) =>
      numberToHex(chain.readAt(stateOf(view, tag), () => chain.store.get(toWeiKey(lower(account))))),
    eth_getCode: () => '0x',
    eth_createAccessList: (_, [call]) => ({ accessList: findAccess(toMessage(call).to), gasUsed: '0x5208' }),
    eth_getStorageAt: () => `0x${'0'.repeat(64)}`,
    eth_getTransactionCount: (view, [account, tag]) =>
      numberToHex(
        tag === 'pending'
          ? chain.countPendingNonce(lower(account))
          : chain.readAt(stateOf(view, tag), () => chain.countNonce(lower(account))),
      ),
    eth_getLogs: (view, [filter]) => findLogs(view, filter),
    eth_getTransactionByHash: (view, [hash]) => {
      const mined = findSeen(view, hash)
      return mined ? toTransaction(mined.transaction, mined.block, mined.index) : null
    },
    eth_getTransactionReceipt: (view, [hash]) => {
      const mined = findSeen(view, hash)
      return mined ? toReceipt(view, mined.block, mined) : null
    },
    eth_getBlockReceipts: (view, [tag]) => {
      const block =
        (tag as string).length === 66
          ? chain.blocks.find(({ hash, number }) => hash === tag && number <= newestOf(view).number)
          : findBlock(view, tag)
      return block ? block.receipts.map((receipt) => toReceipt(view, block, receipt)) : null
    },
    eth_call: (view, [call, tag, overrides, facts]) =>
      check(run(view, call, tag, overrides, toFacts(facts))).returnData,
    eth_estimateGas: (view, [call, tag, , facts]) => estimate(view, call, tag, toFacts(facts)),
    eth_simulateV1: (view, [request, tag]) => simulate(view, request, tag),
    eth_sendRawTransaction: (_, [raw]) => send(raw),
    eth_feeHistory: (view) => {
      const { number, baseFee } = newestOf(view)
      const next = chain.blocks[number + 1]?.baseFee ?? chain.baseFee()
      return { baseFeePerGas: [numberToHex(baseFee), numberToHex(next)], reward: [[numberToHex(tip)]] }
    },
  }

  /** @throws RpcError */
  return (view: NodeView, method: string, params: unknown[]): unknown => {
    const answer = methods[method]
    if (!answer) throw new RpcError(-32_601, `the method ${method} does not exist/is not available`)
    return answer(view, params as Params)
  }
}

/** Parameters as the method of the request has them. */
type Params = [never, never, never, never]

const toFacts = ({ number, time }: { number?: Hex; time?: Hex } = {}): BlockFacts => ({
  ...(number && { number: Number(number) }),
  ...(time && { timestamp: Number(time) }),
})

type StateOverrides = Record<string, { stateDiff?: Record<string, Hex>; code?: Hex; balance?: Hex }>
type SimulateRequest = { blockStateCalls: { calls?: Call[]; stateOverrides?: StateOverrides }[] }
type LogFilter = {
  address?: Address | Address[]
  topics?: (Hex | Hex[] | null)[]
  fromBlock?: Hex
  toBlock?: Hex | 'latest'
  blockHash?: Hex
}

const toMessage = ({
  from = zeroAccount,
  to = zeroAccount,
  data,
  input,
  gas,
  value,
  maxFeePerGas = '0x0',
  accessList = [],
}: Call) => ({
  from: lower(from),
  to: lower(to),
  data: data ?? input ?? '0x',
  gas: gas === undefined ? callGas : BigInt(gas),
  value: value === undefined ? 0n : BigInt(value),
  gasPrice: BigInt(maxFeePerGas),
  accessList,
})

/** @throws RpcError in the words of geth */
const check = (execution: Execution): Execution => {
  if (execution.succeeded) return execution
  if (execution.exhausted) throw new RpcError(-32_000, 'out of gas')
  const reason = execution.returnData === '0x' ? '' : `: ${execution.reason}`
  throw new RpcError(3, `execution reverted${reason}`, execution.returnData)
}

/** @throws RpcError for a transaction without a valid signature */
const readTransaction = (raw: Hex, chainId: number): Omit<PendingTransaction, 'notBefore'> => {
  const parsed = parseTransaction(raw as TransactionSerializedEIP1559)
  const { r, s, yParity, v: _, ...unsigned } = parsed as typeof parsed & { v?: bigint }
  if (!r || !s || yParity === undefined || parsed.chainId !== chainId) throw new RpcError(-32_000, 'invalid sender')
  const digest = keccak256(serializeTransaction(unsigned as never))
  const rs = hexToBytes(`0x${r.slice(2).padStart(64, '0')}${s.slice(2).padStart(64, '0')}`)
  const from = recoverAccount(digest, rs, yParity)
  if (!from) throw new RpcError(-32_000, 'invalid sender')
  return {
    hash: keccak256(raw),
    from,
    to: lower(parsed.to ?? zeroAccount),
    data: parsed.data ?? '0x',
    value: parsed.value ?? 0n,
    gas: parsed.gas ?? 0n,
    nonce: parsed.nonce ?? 0,
    maxFeePerGas: parsed.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: parsed.maxPriorityFeePerGas ?? 0n,
    accessList: parsed.accessList ?? [],
  }
}

const zero32 = `0x${'0'.repeat(64)}`

/** Filter of receipts. A node that leaves out logs of one event leaves them out of filters too: only the chain's state shows it. */
const toBloom = (view: NodeView, block: Block, receipts: readonly Receipt[]): Hex => {
  const isConsistent = ['trades', 'laterTrades', 'settlements'].some((form) => form === view.hidesLogs)
  return computeBloom(receipts.flatMap((receipt) => (isConsistent ? listShown(view, block, receipt) : receipt.logs)))
}

const toBlock = (view: NodeView, block: Block | undefined) =>
  block
    ? {
        number: numberToHex(block.number),
        hash: block.hash,
        parentHash: block.parentHash,
        timestamp: numberToHex(block.timestamp),
        logsBloom: toBloom(view, block, block.receipts),
        baseFeePerGas: numberToHex(block.baseFee),
        gasLimit: numberToHex(30_000_000),
        gasUsed: '0x0',
        difficulty: '0x0',
        nonce: '0x0000000000000000',
        size: '0x0',
        miner: zeroAccount,
        extraData: '0x',
        mixHash: zero32,
        stateRoot: zero32,
        receiptsRoot: zero32,
        transactionsRoot: zero32,
        sha3Uncles: zero32,
        uncles: [],
        transactions: block.receipts.map(({ transaction }) => transaction.hash),
      }
    : null

const toTransaction = (transaction: PendingTransaction, block: Block, index: number) => ({
  hash: transaction.hash,
  from: transaction.from,
  to: transaction.to,
  input: transaction.data,
  nonce: numberToHex(transaction.nonce),
  gas: numberToHex(transaction.gas),
  value: numberToHex(transaction.value),
  maxFeePerGas: numberToHex(transaction.maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(transaction.maxPriorityFeePerGas),
  gasPrice: numberToHex(transaction.maxFeePerGas),
  blockHash: block.hash,
  blockNumber: numberToHex(block.number),
  transactionIndex: numberToHex(index),
  type: '0x2',
  v: '0x0',
  r: zero32,
  s: zero32,
})

const toReceipt = (view: NodeView, block: Block, receipt: Receipt) => ({
  transactionHash: receipt.transaction.hash,
  transactionIndex: numberToHex(receipt.index),
  blockHash: block.hash,
  blockNumber: numberToHex(block.number),
  from: receipt.transaction.from,
  to: receipt.transaction.to,
  status: receipt.succeeded ? '0x1' : '0x0',
  gasUsed: numberToHex(receipt.gasUsed),
  cumulativeGasUsed: numberToHex(receipt.gasUsed),
  effectiveGasPrice: numberToHex(receipt.effectiveGasPrice),
  contractAddress: null,
  logsBloom: toBloom(view, block, [receipt]),
  type: '0x2',
  logs: listShown(view, block, receipt).map((log) => toLog(block, receipt, log)),
})

const toLog = (block: Block, receipt: Receipt, { address, topics, data, logIndex }: ChainLog) => ({
  address,
  topics,
  data,
  blockHash: block.hash,
  blockNumber: numberToHex(block.number),
  transactionHash: receipt.transaction.hash,
  transactionIndex: numberToHex(receipt.index),
  logIndex: numberToHex(logIndex),
  removed: false,
})

const lower = (address: Address): Address => address.toLowerCase() as Address
