import { type AccessList, type Address, encodeErrorResult, type Hex, parseAbi } from 'viem'
import type { Store } from './createStore.ts'

/** Facts of the block in which code runs. */
export type BlockEnvironment = {
  number: number
  timestamp: number
  baseFee: bigint
  /** only in transactions of blocks: calls and simulations of a node have none */
  coinbase?: Address | undefined
}

/** A log before it has a place in a block. */
export type RawLog = { address: Address; topics: Hex[]; data: Hex }

/** Ends a call and undoes its changes. */
export class Revert extends Error {
  override name = 'Revert'
  readonly data: Hex

  constructor(data: Hex, reason = 'reverted') {
    super(reason)
    this.data = data
  }
}

/** Ends a call, undoes its changes, and takes all of its gas. */
export class OutOfGas extends Error {
  override name = 'OutOfGas'
}

const errorAbi = parseAbi(['error Error(string reason)'])

/** @throws Revert with a reason, as Solidity's `require` */
export function require(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Revert(encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: [reason] }), reason)
}

/** A call in execution, as its contract sees it. */
export type Frame = {
  store: Store
  block: BlockEnvironment
  self: Address
  sender: Address
  /** sender of the transaction or call, and its price, wei per gas unit */
  origin: Address
  gasPrice: bigint
  value: bigint
  data: Hex
  /** gas units left */
  gasLeft: () => bigint
  /** @throws OutOfGas */
  charge: (gas: bigint) => void
  emit: (log: Omit<RawLog, 'address'>) => void
  /** Calls another contract, with at most 63/64 of the gas left. */
  call: (to: Address, data: Hex, options?: { value?: bigint; gas?: bigint }) => CallResult
  /** `call` whose failure is the caller's own */
  callOrRevert: (to: Address, data: Hex, options?: { value?: bigint; gas?: bigint }) => Hex
  /** whether the transaction's access list has an account */
  isDeclared: (account: Address) => boolean
}

export type CallResult = { succeeded: boolean; exhausted: boolean; returnData: Hex; reason: string }

/** The code of a contract: returns its return data or throws. */
export type Code = (frame: Frame) => Hex

export type Execution = CallResult & { gasUsed: bigint; logs: RawLog[] }

export type CallMessage = {
  from: Address
  to: Address
  data: Hex
  value?: bigint
  gas: bigint
  gasPrice?: bigint
  accessList?: AccessList
}

/** Key of an account's balance, wei. */
export const toWeiKey = (account: Address): string => `wei ${account}`

const maxDepth = 64

/** Runs messages on the contracts of one chain; accounts without code accept everything. */
export const createMachine = (store: Store, contracts: ReadonlyMap<Address, Code>) => {
  const run = (
    message: CallMessage,
    block: BlockEnvironment,
    logs: RawLog[],
    depth: number,
    outer: Pick<Frame, 'origin' | 'gasPrice' | 'isDeclared'> = {
      origin: message.from,
      gasPrice: message.gasPrice ?? 0n,
      isDeclared: (account) => message.accessList?.some(({ address }) => address === account) ?? false,
    },
  ): CallResult & { left: bigint } => {
    const { from, to, data, value = 0n } = message
    let left = message.gas
    const [mark, logMark] = [store.mark(), logs.length]
    const charge = (gas: bigint) => {
      if (gas > left) throw new OutOfGas('out of gas')
      left -= gas
    }
    const call: Frame['call'] = (target, callData, options = {}) => {
      charge(700n)
      const most = left - left / 64n
      const gas = options.gas === undefined || options.gas > most ? most : options.gas
      left -= gas
      const inner = { from: to, to: target, data: callData, value: options.value ?? 0n, gas }
      const { left: rest, ...result } = run(inner, block, logs, depth + 1, outer)
      left += rest
      return result
    }
    try {
      if (depth > maxDepth) throw new OutOfGas('call depth')
      moveWei(store, from, to, value)
      const code = contracts.get(to)
      const frame: Frame = {
        store,
        block,
        self: to,
        sender: from,
        ...outer,
        value,
        data,
        gasLeft: () => left,
        charge,
        emit: (log) => logs.push({ address: to, ...log }),
        call,
        callOrRevert: (target, callData, options) => {
          const result = call(target, callData, options)
          if (!result.succeeded) throw new Revert(result.returnData, result.reason)
          return result.returnData
        },
      }
      const returnData = code ? code(frame) : '0x'
      return { succeeded: true, exhausted: false, returnData, reason: '', left }
    } catch (error) {
      if (!(error instanceof Revert) && !(error instanceof OutOfGas)) throw error
      store.revertTo(mark)
      logs.length = logMark
      const exhausted = error instanceof OutOfGas
      const returnData = exhausted ? '0x' : error.data
      return { succeeded: false, exhausted, returnData, reason: error.message, left: exhausted ? 0n : left }
    }
  }
  return {
    /** Runs a message with the base cost of a transaction. */
    execute: (message: CallMessage, block: BlockEnvironment): Execution => {
      const base = computeBaseGas(message)
      if (base > message.gas)
        return {
          succeeded: false,
          exhausted: true,
          returnData: '0x',
          reason: 'intrinsic gas too low',
          gasUsed: message.gas,
          logs: [],
        }
      const logs: RawLog[] = []
      const { left, ...result } = run({ ...message, gas: message.gas - base }, block, logs, 0)
      return { ...result, gasUsed: message.gas - left, logs }
    },
    /** Runs a message without that cost. */
    callPlainly: (message: CallMessage, block: BlockEnvironment): Execution => {
      const logs: RawLog[] = []
      const { left, ...result } = run(message, block, logs, 0)
      return { ...result, gasUsed: message.gas - left, logs }
    },
  }
}

/** gas units; an access list costs 2,400 for each account and 1,900 for each slot (EIP-2930) */
const computeBaseGas = ({ data, accessList = [] }: CallMessage): bigint =>
  accessList.reduce(
    (gas, { storageKeys }) => gas + 2_400n + 1_900n * BigInt(storageKeys.length),
    21_000n + 16n * BigInt((data.length - 2) / 2),
  )

const moveWei = (store: Store, from: Address, to: Address, value: bigint): void => {
  if (value === 0n) return
  const held = store.get(toWeiKey(from))
  if (held < value) throw new Revert('0x', 'insufficient balance')
  store.set(toWeiKey(from), held - value)
  store.set(toWeiKey(to), store.get(toWeiKey(to)) + value)
}
