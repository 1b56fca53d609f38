import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { maxOf } from '../amounts/minMax.ts'
import { encodeBalance } from '../chain/calls/balanceCalls.ts'
import { readSingleWord, readWord } from '../chain/calls/readWord.ts'
import { type Simulate, type SimulatedCall, SimulationError } from '../chain/calls/simulateCalls.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'
import { ApiError, type JsonObject } from '../http/errors.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import type { FindLayout } from './createLayoutFinder.ts'
import type { BalanceLayout } from './findBalanceLayout.ts'
import { findScaledBalance } from './findScaledBalance.ts'

/** Proof that a token cannot be settled: amounts in atoms. */
export type TokenFault = {
  token: Address
  /** `losesInTransfer`: a transfer delivers less than it takes; `rebases`: balances are not the stored values */
  reason: 'losesInTransfer' | 'rebases'
  sent: bigint
  received: bigint
}

/** Cached verdicts on tokens, null for a token without a fault; each with its expiry in Unix milliseconds. */
export type TokenFaults = Map<Address, { fault: TokenFault | null; until: number }>

export type CheckTokenFaultsDeps = {
  network: Pick<Network, 'wrappedNative'>
  simulate: Simulate
  now: () => number
  /** shared between requests */
  tokenFaults: TokenFaults
}

/** Lifetime of a verdict: the maximum time until a changed token behaviour takes effect. */
const lifetimeMs = 10 * 60_000
const maxKnownTokens = 1_000
const callGas = 1_000_000n
/** Atoms, for tokens with few and with many decimals; odd, so that rounding is detected. */
const amounts = [10n ** 9n + 7n, 10n ** 18n + 7n]

/**
 * Accounts of the trial transfer. They have no known key and appear in no request, so that clients cannot influence
 * them.
 */
const toAccount = (index: number): Address => numberToHex(0xed9eb00dn * 2n ** 96n + BigInt(index), { size: 20 })

/**
 * Checks for tokens that lose amounts in transfers or rebase. The proof is a plain transfer between two neutral
 * accounts in one simulation, independent of the owner, hooks and pools of a request.
 * @param tokens in the fields `sellToken` and `buyToken` of the request
 * @param findLayout undefined: only cached verdicts count
 * @throws ApiError `UnsupportedToken` with the amounts of the proof
 */
export const checkTokenFaults = async (
  deps: CheckTokenFaultsDeps,
  tokens: { sellToken: Address; buyToken: Address },
  signal: AbortSignal,
  findLayout: FindLayout | undefined,
): Promise<void> => {
  const fault = await findFaultOfTokens(deps, tokens, signal, findLayout)
  if (!fault) return
  throw new ApiError('UnsupportedToken', {
    description: describeTokenFault(fault.reason),
    data: toFaultData(fault, tokens),
  })
}

/** The first of the two tokens that is proven to lose amounts in transfer or to rebase; as `checkTokenFaults`. */
export const findFaultOfTokens = async (
  deps: CheckTokenFaultsDeps,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  signal: AbortSignal,
  findLayout: FindLayout | undefined,
): Promise<TokenFault | undefined> => {
  const faults = await Promise.all(
    [sellToken, buyToken].map((token) => findTokenFault(deps, token, signal, findLayout)),
  )
  return faults[0] ?? faults[1]
}

/** Client-facing form of a proof. */
export const toFaultData = (
  { token, reason, sent, received }: TokenFault,
  { sellToken }: { sellToken: Address },
): JsonObject => ({
  field: token === sellToken ? 'sellToken' : 'buyToken',
  token,
  reason,
  sent: sent.toString(),
  received: received.toString(),
})

export const describeTokenFault = (reason: TokenFault['reason']): string =>
  reason === 'rebases'
    ? 'unsupported token: it computes balances, so amounts change without a transfer'
    : 'unsupported token: a transfer delivers less than it takes'

/** Drops the cached verdicts on both tokens: when every offer is refuted, a token may have changed. */
export const forgetTokens = (tokenFaults: TokenFaults, tokens: { sellToken: Address; buyToken: Address }): void => {
  tokenFaults.delete(tokens.sellToken)
  tokenFaults.delete(tokens.buyToken)
}

/** @returns undefined for a token without a fault, and when the node gives no proof */
const findTokenFault = async (
  { network, simulate, now, tokenFaults }: CheckTokenFaultsDeps,
  token: Address,
  signal: AbortSignal,
  findLayout: FindLayout | undefined,
): Promise<TokenFault | undefined> => {
  if (token === network.wrappedNative || token === nativeSentinel) return undefined
  const known = tokenFaults.get(token)
  if (known && now() < known.until) return known.fault ?? undefined
  if (!findLayout) return undefined
  try {
    const layout = await findLayout(token)
    const fault = layout
      ? await findTransferLoss(simulate, token, layout, signal)
      : await findRebase(simulate, token, signal)
    if (tokenFaults.size >= maxKnownTokens) tokenFaults.clear()
    tokenFaults.set(token, { fault: fault ?? null, until: now() + lifetimeMs })
    return fault
  } catch (error) {
    if (error instanceof SimulationError) return undefined
    throw error
  }
}

const findRebase = async (simulate: Simulate, token: Address, signal: AbortSignal): Promise<TokenFault | undefined> => {
  const scaled = await findScaledBalance(simulate, token, signal)
  return scaled && { token, reason: 'rebases', sent: scaled.written, received: scaled.read }
}

const findTransferLoss = async (
  simulate: Simulate,
  token: Address,
  layout: BalanceLayout,
  signal: AbortSignal,
): Promise<TokenFault | undefined> => {
  const trials = amounts.map((amount, i) => ({ amount, sender: toAccount(2 * i), receiver: toAccount(2 * i + 1) }))
  const overrides = Object.fromEntries(
    trials.map(({ amount, sender }) => [layout(sender), numberToHex(2n * amount, { size: 32 })]),
  )
  const calls = trials.flatMap(({ amount, sender, receiver }) => {
    const balances = [sender, receiver].map((holder) => toBalanceCall(token, holder))
    return [...balances, toTransfer(token, sender, receiver, amount), ...balances]
  })
  const { results } = await simulate(calls, { [token]: overrides }, signal)
  for (const [i, { amount }] of trials.entries()) {
    const [sender, receiver, transfer, senderAfter, receiverAfter] = results.slice(5 * i, 5 * i + 5)
    if (!transfer?.succeeded || !isTransferDone(transfer.returnData)) continue
    const [held, had, left, has] = [sender, receiver, senderAfter, receiverAfter].map(toAmount)
    if (held === undefined || had === undefined || left === undefined || has === undefined) continue
    const [spent, received] = [held - left, has - had]
    const sent = maxOf(spent, amount)
    if (received < sent) return { token, reason: 'losesInTransfer', sent, received }
  }
  return undefined
}

const toBalanceCall = (token: Address, holder: Address): SimulatedCall => ({
  to: token,
  data: encodeBalance(holder),
  gas: callGas,
})

const toTransfer = (token: Address, from: Address, to: Address, amount: bigint): SimulatedCall => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  gas: callGas,
})

/** Old tokens return no data; any returned value but `true` is a rejected transfer. */
const isTransferDone = (returnData: Hex): boolean => returnData === '0x' || readWord(returnData) === 1n

const toAmount = (result: { succeeded: boolean; returnData: Hex } | undefined): bigint | undefined =>
  result?.succeeded ? readSingleWord(result.returnData) : undefined
