import { type Address, concatHex, type Hex, keccak256, numberToHex, pad } from 'viem'
import { encodeBalance } from '../chain/calls/balanceCalls.ts'
import { readSingleWord } from '../chain/calls/readWord.ts'
import type { Simulate } from '../chain/calls/simulateCalls.ts'

/** Storage slot of a holder's balance in the token contract. */
export type BalanceLayout = (holder: Address) => Hex

/** Cached layouts by token; null: the token uses no known layout. */
export type BalanceLayouts = Map<Address, BalanceLayout | null>

const maxKnownTokens = 1_000
const slotsOfSolidity = 64
const slotsOfVyper = 16

/** base slot of OpenZeppelin's ERC20Upgradeable since version 5 (ERC-7201 `openzeppelin.storage.ERC20`) */
const openZeppelinSlot: Hex = '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00'
/** seed of Solady's ERC20 behind the holder and eight empty bytes */
const soladySuffix: Hex = '0x000000000000000087a211a2'

/** `mapping(address => uint256)` at a slot: Solidity hashes key ‖ slot, Vyper slot ‖ key. */
const ofSolidity =
  (slot: Hex): BalanceLayout =>
  (holder) =>
    keccak256(concatHex([pad(holder), slot]))
const ofVyper =
  (slot: Hex): BalanceLayout =>
  (holder) =>
    keccak256(concatHex([slot, pad(holder)]))
const ofSolady: BalanceLayout = (holder) => keccak256(concatHex([holder, soladySuffix]))

const slots = (count: number): Hex[] => Array.from({ length: count }, (_, slot) => numberToHex(slot, { size: 32 }))

/** Built on first use: a Worker must not compute while it loads. */
const buildLayouts = (): BalanceLayout[] => [
  ...slots(slotsOfSolidity).map(ofSolidity),
  ...slots(slotsOfVyper).map(ofVyper),
  ofSolidity(openZeppelinSlot),
  ofSolady,
]

/**
 * Finds the storage layout of a token's balances in one simulation: a value is written for a separate holder under each
 * known layout, and the layout whose holder has exactly that balance is the token's.
 * @param known cache of the results
 * @returns undefined when the token uses another layout, or computes its balances
 * @throws SimulationError
 */
export const findBalanceLayout = async (
  { simulate, known }: { simulate: Simulate; known: BalanceLayouts },
  token: Address,
  signal: AbortSignal,
): Promise<BalanceLayout | undefined> => {
  const remembered = known.get(token)
  if (remembered !== undefined) return remembered ?? undefined
  const balances = await probeLayouts(simulate, token, probeBalance, signal)
  const found = buildLayouts()[balances.findIndex((balance, index) => balance === probeBalance(index))]
  if (known.size >= maxKnownTokens) known.clear()
  known.set(token, found ?? null)
  return found
}

/**
 * Writes a word into the balance slot of a separate holder under each known layout, in one simulation.
 * @returns the balances of the holders, in the order of the layouts; undefined where the token does not return one word
 * @throws SimulationError
 */
export const probeLayouts = async (
  simulate: Simulate,
  token: Address,
  toWord: (index: number) => bigint,
  signal: AbortSignal,
): Promise<(bigint | undefined)[]> => {
  const slots = buildLayouts().map((layout, index) => layout(probeHolder(index)))
  const { results } = await simulate(
    slots.map((_, index) => ({
      to: token,
      data: encodeBalance(probeHolder(index)),
      gas: 200_000n,
    })),
    { [token]: Object.fromEntries(slots.map((slot, index) => [slot, numberToHex(toWord(index), { size: 32 })])) },
    signal,
  )
  return results.map(({ returnData }) => readSingleWord(returnData))
}

/** Accounts without a known key. */
const probeHolder = (index: number): Address => numberToHex(0xed9eb00cn * 2n ** 96n + BigInt(index), { size: 20 })
const probeBalance = (index: number): bigint => 0xed9eb00cn + BigInt(index)
