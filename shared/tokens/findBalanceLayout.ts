import { type Address, concatHex, encodeFunctionData, type Hex, keccak256, numberToHex, pad } from 'viem'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'

/** Where a token keeps the balance of a holder: the storage slot in its own contract. */
export type BalanceLayout = (holder: Address) => Hex

/** Layouts of the tokens seen so far; null: the token uses none that is known here. */
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

/** Made when first needed: a Worker does no work while it loads. */
const buildLayouts = (): BalanceLayout[] => [
  ...slots(slotsOfSolidity).map(ofSolidity),
  ...slots(slotsOfVyper).map(ofVyper),
  ofSolidity(openZeppelinSlot),
  ofSolady,
]

/**
 * Finds out how a token stores balances by giving each known layout a holder of its own, all in one simulation: the layout
 * whose holder has exactly what was written is the token's.
 * @param known remembers the answer
 * @returns undefined when the token uses another layout, or computes balances from something else
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
 * Writes a word into the place where each known layout keeps the balance of a holder of its own, in one simulation.
 * @returns the balances of the holders, in the order of the layouts; undefined where the token returns no single word
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
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [probeHolder(index)] }),
      gas: 200_000n,
    })),
    { [token]: Object.fromEntries(slots.map((slot, index) => [slot, numberToHex(toWord(index), { size: 32 })])) },
    signal,
  )
  return results.map(({ returnData }) => (returnData.length === 66 ? BigInt(returnData) : undefined))
}

/** Accounts without a known key. */
const probeHolder = (index: number): Address => numberToHex(0xed9eb00cn * 2n ** 96n + BigInt(index), { size: 20 })
const probeBalance = (index: number): bigint => 0xed9eb00cn + BigInt(index)
