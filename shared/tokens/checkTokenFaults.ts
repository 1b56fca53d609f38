import { type Address, encodeFunctionData, type Hex, hexToBigInt, numberToHex } from 'viem'
import { maxOf } from '../amounts/minMax.ts'
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
  /** a transfer delivers less than it takes; a balance is computed from something else than what the token stores */
  reason: 'losesInTransfer' | 'rebases'
  sent: bigint
  received: bigint
}

/** Verdicts on tokens, null for a token without a fault; each until a time in Unix milliseconds. */
export type TokenFaults = Map<Address, { fault: TokenFault | null; until: number }>

export type CheckTokenFaultsDeps = {
  network: Pick<Network, 'wrappedNative'>
  simulate: Simulate
  now: () => number
  /** remembered from one request to the next */
  tokenFaults: TokenFaults
}

/** A token that changes its behaviour is served, or refused, after this time at the latest. */
const lifetimeMs = 10 * 60_000
const maxKnownTokens = 1_000
const callGas = 1_000_000n
/** Atoms: of a token with few decimals and of one with many; odd, so that a rounded transfer shows. */
const amounts = [10n ** 9n + 7n, 10n ** 18n + 7n]

/** Accounts of the trial; they have no key and appear in no request, so that no client has an influence on them. */
const toAccount = (index: number): Address => numberToHex(0xed9eb00dn * 2n ** 96n + BigInt(index), { size: 20 })

/**
 * Throws for a token that loses amounts in transfer or rebases. The proof is a plain transfer between two neutral accounts in
 * one simulation: the owner, the hooks and the pools of a request have no part in it.
 * @param tokens in the fields `sellToken` and `buyToken` of the request
 * @param findLayout undefined: only remembered faults count
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

/** A proof as clients get it. */
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
    ? 'this token is not traded here: it computes balances, so amounts change without a transfer'
    : 'this token is not traded here: a transfer delivers less than it takes'

/** Forgets the verdicts on both tokens: a token may have changed since, when every offer of it is refuted. */
export const forgetTokens = (tokenFaults: TokenFaults, tokens: { sellToken: Address; buyToken: Address }): void => {
  tokenFaults.delete(tokens.sellToken)
  tokenFaults.delete(tokens.buyToken)
}

/** @returns undefined for a token without a fault, and whenever the node gives no proof */
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
    if (!transfer?.succeeded || !isAgreed(transfer.returnData)) continue
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
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
  gas: callGas,
})

const toTransfer = (token: Address, from: Address, to: Address, amount: bigint): SimulatedCall => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  gas: callGas,
})

/** Old tokens return nothing; anything but `true` is a transfer that the token refused. */
const isAgreed = (returnData: Hex): boolean =>
  returnData === '0x' || (returnData.length >= 66 && BigInt(returnData.slice(0, 66)) === 1n)

const toAmount = (result: { succeeded: boolean; returnData: Hex } | undefined): bigint | undefined =>
  result?.succeeded && result.returnData.length === 66 ? hexToBigInt(result.returnData) : undefined
