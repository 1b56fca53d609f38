import type { Address } from 'viem'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import { probeLayouts } from './probeLayouts.ts'

/** Words to write, for tokens that store few and very many units per atom. */
const probes = [10n ** 12n + 39n, 2n ** 224n + 39n]

/**
 * Detects a token that computes balances from stored values by a rate, as rebasing tokens do: a word written into a
 * known layout reads back as another amount.
 * @returns the word and the resulting balance; undefined when no known layout changes the balance, or the token only
 *   packs other data beside it (the ratio is a power of two)
 * @throws SimulationError
 */
export const findScaledBalance = async (
  simulate: Simulate,
  token: Address,
  signal: AbortSignal,
): Promise<{ written: bigint; read: bigint } | undefined> => {
  for (const written of probes) {
    const balances = await probeLayouts(simulate, token, () => written, signal)
    const [read, ...others] = balances.filter((balance) => balance !== undefined && balance > 0n)
    // a token that gives every account a balance proves nothing
    if (read === undefined || others.length > 0) continue
    if (read !== written && !isShifted(written, read)) return { written, read }
  }
  return undefined
}

const isShifted = (written: bigint, read: bigint): boolean => {
  for (let bits = 1n; bits < 256n; bits += 1n) {
    if (written >> bits === read || BigInt.asUintN(256, written << bits) === read) return true
  }
  // the low or the high part of the word
  return read < written && (BigInt.asUintN(128, written) === read || BigInt.asUintN(96, written) === read)
}
