import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { maxOf } from '../amounts/minMax.ts'
import { encodeBalance } from '../chain/calls/balanceCalls.ts'
import { readSingleWord, readWord } from '../chain/calls/readWord.ts'
import type { Simulate, SimulatedCall } from '../chain/calls/simulateCalls.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'
import type { BalanceLayout } from './balanceLayouts.ts'
import type { TokenFault } from './tokenFault.ts'

const callGas = 1_000_000n

/** Atoms, for tokens with few and with many decimals; odd, so that rounding is detected. */
const amounts = [10n ** 9n + 7n, 10n ** 18n + 7n]

/**
 * Accounts of the trial transfer begin here. They have no known key and appear in no request, so that clients cannot
 * influence them.
 */
const firstAccount = 0xed9eb00dn * 2n ** 96n

/** Proof that a transfer between two neutral accounts delivers less than it takes; undefined without one. */
export const findTransferLoss = async (
  simulate: Simulate,
  token: Address,
  layout: BalanceLayout,
  signal: AbortSignal,
): Promise<TokenFault | undefined> => {
  const trials = amounts.map((amount, i) => {
    const [sender, receiver] = [firstAccount + BigInt(2 * i), firstAccount + BigInt(2 * i + 1)]
    return { amount, sender: numberToHex(sender, { size: 20 }), receiver: numberToHex(receiver, { size: 20 }) }
  })
  const stateDiff = Object.fromEntries(
    trials.map(({ amount, sender }) => [layout(sender), numberToHex(2n * amount, { size: 32 })]),
  )
  const calls = trials.flatMap(({ amount, sender, receiver }) => {
    const balances = [sender, receiver].map((holder) => ({ to: token, data: encodeBalance(holder), gas: callGas }))
    return [...balances, toTransfer(token, sender, receiver, amount), ...balances]
  })
  const { results } = await simulate(calls, { [token]: { stateDiff } }, signal)
  for (const [i, { amount }] of trials.entries()) {
    const [sender, receiver, transfer, senderAfter, receiverAfter] = results.slice(5 * i, 5 * i + 5)
    // old tokens return no data; any returned value but `true` is a rejected transfer
    if (!transfer?.succeeded || (transfer.returnData !== '0x' && readWord(transfer.returnData) !== 1n)) continue
    const [held, had, left, has] = [sender, receiver, senderAfter, receiverAfter].map(toAmount)
    if (held === undefined || had === undefined || left === undefined || has === undefined) continue
    const [spent, received] = [held - left, has - had]
    const sent = maxOf(spent, amount)
    if (received < sent) return { token, reason: 'losesInTransfer', sent, received }
  }
  return undefined
}

const toTransfer = (token: Address, from: Address, to: Address, amount: bigint): SimulatedCall => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  gas: callGas,
})

const toAmount = (result: { succeeded: boolean; returnData: Hex } | undefined): bigint | undefined =>
  result?.succeeded ? readSingleWord(result.returnData) : undefined
