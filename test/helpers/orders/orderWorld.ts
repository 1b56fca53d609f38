import { concatHex, encodeAbiParameters, type Hex, numberToHex, toFunctionSelector } from 'viem'
import type { Simulate, SimulatedCall } from '#shared/chain/calls/simulateCalls.ts'
import { decodeHooks } from '#shared/hooks/readHooks.ts'
import { networks } from '#shared/networks.ts'

const network = networks.sepolia
const { settlementContract, hooksTrampoline } = network

/** One owner's funds, contract and hooks, as a few facts instead of a chain. */
export type OrderWorld = {
  balance: bigint | undefined
  allowance: bigint | undefined
  /** what a pre-hook with call data `0x01` brings */
  gift: bigint
  accepts: boolean
  presigned: boolean
  /** the owner invalidated the order */
  invalidated: boolean
  /** whether the token moves, and how many of 100 atoms arrive */
  moves: boolean
  delivered: bigint
}

export const reverting = '0x00000000000000000000000000000000000bad00' as const

const selectors = {
  balanceOf: toFunctionSelector('balanceOf(address)'),
  allowance: toFunctionSelector('allowance(address,address)'),
  filledAmount: toFunctionSelector('filledAmount(bytes)'),
  preSignature: toFunctionSelector('preSignature(bytes)'),
  simulateDelegatecall: toFunctionSelector('simulateDelegatecall(address,bytes)'),
}
const accepted: Hex = `0x1626ba7e${'0'.repeat(56)}`

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })
const success = (returnData: Hex = '0x') => ({ succeeded: true, returnData, gasUsed: 21_000n })
const failure = { succeeded: false, returnData: '0x' as Hex, gasUsed: 21_000n }

/** Runs calls as `eth_simulateV1` does, on the facts of a world; nothing is left behind. */
export const simulateWorld =
  (world: OrderWorld, block: number): Simulate =>
  async (calls) => {
    const state = { balance: world.balance, allowance: world.allowance, received: 0n }
    return { block, results: calls.map((call) => runCall(world, state, call)) }
  }

type State = { balance: bigint | undefined; allowance: bigint | undefined; received: bigint }

const runCall = (world: OrderWorld, state: State, { from, to, data }: SimulatedCall) => {
  if (from === hooksTrampoline) return to === reverting ? failure : success()
  if (to === hooksTrampoline) {
    // the trampoline continues after a hook that reverts
    for (const { target, callData } of decodeHooks(data) ?? []) {
      if (target !== reverting && callData === '0x01') receive(world, state)
    }
    return success()
  }
  if (data === '0x') return success()
  switch (data.slice(0, 10)) {
    case selectors.balanceOf:
      return toWord(data.endsWith(settlementContract.slice(2)) ? state.received : state.balance)
    case selectors.allowance:
      return toWord(state.allowance)
    case selectors.filledAmount:
      return success(word(world.invalidated ? 2n ** 256n - 1n : 0n))
    case selectors.preSignature:
      return success(word(world.presigned ? 1n : 0n))
    case selectors.simulateDelegatecall:
      return success(encodeAbiParameters([{ type: 'bytes' }], [concatHex([word(1n), world.accepts ? accepted : '0x'])]))
    default:
      // views of a token's metadata have no argument
      return data.length < 74 ? failure : transfer(world, state, BigInt(`0x${data.slice(-64)}`))
  }
}

const toWord = (amount: bigint | undefined) => (amount === undefined ? failure : success(word(amount)))

const receive = ({ gift }: OrderWorld, state: State) => {
  if (state.balance !== undefined) state.balance += gift
  if (state.allowance !== undefined) state.allowance += gift
}

const transfer = ({ moves, delivered }: OrderWorld, state: State, amount: bigint) => {
  const { balance, allowance } = state
  if (!moves || balance === undefined || allowance === undefined || balance < amount || allowance < amount)
    return failure
  state.balance = balance - amount
  state.allowance = allowance - amount
  state.received += (amount * delivered) / 100n
  return success(word(1n))
}
