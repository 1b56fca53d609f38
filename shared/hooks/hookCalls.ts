import { size } from 'viem'
import { maxOf } from '../amounts/minMax.ts'
import type { Hook } from '../appData/parseAppData.ts'
import type { SimulatedCall, Simulation } from '../chain/calls/simulateCalls.ts'
import type { Network } from '../networks.ts'
import type { HookOutcome } from './hookOutcome.ts'

/** gas of a transaction before its first instruction, calldata aside */
const transactionGas = 21_000n
/** gas of a byte of a transaction's calldata, zero and other, and the least that a byte costs in all (EIP-7623) */
const [zeroByteGas, byteGas, leastZeroByteGas, leastByteGas] = [4n, 16n, 10n, 40n]
/** A contract that does anything uses more: the cheapest access to its own storage. */
const leastWorkGas = 2_100n

/**
 * Hooks as calls of their own, each with exactly its gas limit. The trampoline reports no outcome of a hook, so in a
 * simulation it makes each call itself.
 */
export const buildHookCalls = (
  { hooksTrampoline }: Pick<Network, 'hooksTrampoline'>,
  hooks: readonly Hook[],
): SimulatedCall[] =>
  hooks.map((hook) => ({
    from: hooksTrampoline,
    to: hook.target,
    data: hook.callData,
    gas: computeCallGas(hook),
  }))

/** Outcomes of `buildHookCalls` in words. @param results in the order of the hooks */
export const toHookOutcomes = (
  phase: HookOutcome['phase'],
  hooks: readonly Hook[],
  results: Simulation['results'],
): HookOutcome[] =>
  hooks.map((hook, place) => ({ phase, hook: place, target: hook.target, outcome: toOutcome(hook, results[place]) }))

/** Gas of hooks within a settlement as simulated: what each used beside the cost of a transaction of its own. */
export const computeUsedHookGas = (hooks: readonly Hook[], results: Simulation['results']): bigint =>
  hooks.reduce((sum, hook, place) => sum + computeExecutedGas(hook, results[place]), 0n)

const toOutcome = (hook: Hook, result: Simulation['results'][number] | undefined): HookOutcome['outcome'] => {
  if (!result?.succeeded) return result && isOutOfGas(hook, result) ? 'outOfGas' : 'reverted'
  const { intrinsic, least } = computeBaseGas(hook)
  if (result.gasUsed <= intrinsic) return 'noCode'
  // the least price of calldata hides small use
  return result.gasUsed === least && least - intrinsic < leastWorkGas ? 'noCode' : 'succeeded'
}

/** Some nodes do not say why a call failed. Nothing but a lack of gas and invalid code takes all of it. */
const isOutOfGas = (hook: Hook, { gasUsed, error = '' }: Simulation['results'][number]): boolean =>
  /out\s?of\s?gas/i.test(error) || (gasUsed >= computeCallGas(hook) && !/invalid|stack/i.test(error))

const computeCallGas = (hook: Hook): bigint => {
  const { intrinsic, least } = computeBaseGas(hook)
  return maxOf(intrinsic + hook.gasLimit, least)
}

const computeExecutedGas = (hook: Hook, result: Simulation['results'][number] | undefined): bigint =>
  maxOf((result?.gasUsed ?? 0n) - computeBaseGas(hook).intrinsic, 0n)

/** What a transaction with the hook's calldata costs before its first instruction, and at least in all: gas units. */
const computeBaseGas = ({ callData }: Hook): { intrinsic: bigint; least: bigint } => {
  const length = BigInt(size(callData))
  let zeros = 0n
  for (let place = 2; place < callData.length; place += 2) if (callData.startsWith('00', place)) zeros += 1n
  return {
    intrinsic: transactionGas + zeros * zeroByteGas + (length - zeros) * byteGas,
    least: transactionGas + zeros * leastZeroByteGas + (length - zeros) * leastByteGas,
  }
}
