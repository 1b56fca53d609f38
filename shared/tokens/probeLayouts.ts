import { type Address, numberToHex } from 'viem'
import { encodeBalance } from '../chain/calls/balanceCalls.ts'
import { readSingleWord } from '../chain/calls/readWord.ts'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import { buildLayouts } from './balanceLayouts.ts'

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
    {
      [token]: { stateDiff: Object.fromEntries(slots.map((slot, i) => [slot, numberToHex(toWord(i), { size: 32 })])) },
    },
    signal,
  )
  return results.map(({ returnData }) => readSingleWord(returnData))
}

/** Accounts without a known key. */
const probeHolder = (index: number): Address => numberToHex(0xed9eb00cn * 2n ** 96n + BigInt(index), { size: 20 })
