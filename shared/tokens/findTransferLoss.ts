import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { maxOf } from '../amounts/minMax.ts'
import { encodeBalance } from '../chain/calls/balanceCalls.ts'
import { readSingleWord, readWord } from '../chain/calls/readWord.ts'
import type { Simulate, SimulatedCall, StateOverrides } from '../chain/calls/simulateCalls.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'
import type { BalanceLayout } from './balanceLayouts.ts'
import type { TokenFault } from './tokenFault.ts'

const callGas = 1_000_000n

/** Atoms, for tokens with few and with many decimals; odd, so that rounding is detected. */
const amounts = [10n ** 9n + 7n, 10n ** 18n + 7n]
const maxPools = 3

/**
 * Accounts of the trial transfers begin here. They have no known key and appear in no request, so that clients cannot
 * influence them.
 */
const firstAccount = 0xed9eb00dn * 2n ** 96n

type Trial = { amount: bigint; sender: Address; receiver: Address }

/**
 * Proof that a transfer delivers less than it takes: between two neutral accounts, where the layout of balances is known,
 * and out of a pool to a neutral account and back. Undefined without one.
 * @param pools accounts that hold the token (`findHoldingPools`)
 */
export const findTransferLoss = async (
  simulate: Simulate,
  token: Address,
  layout: BalanceLayout | undefined,
  pools: readonly Address[],
  signal: AbortSignal,
): Promise<TokenFault | undefined> => {
  const neutral = layout
    ? amounts.map((amount, i): Trial => ({ amount, sender: toAccount(2 * i), receiver: toAccount(2 * i + 1) }))
    : []
  const pooled = pools.slice(0, maxPools).flatMap((pool, place) =>
    amounts.flatMap((amount, i): Trial[] => {
      const other = toAccount(2 * amounts.length * (place + 1) + i)
      return [
        { amount, sender: pool, receiver: other },
        { amount, sender: other, receiver: pool },
      ]
    }),
  )
  const stocked = neutral.map(({ amount, sender }) => [layout?.(sender), numberToHex(2n * amount, { size: 32 })])
  const overrides: StateOverrides = layout ? { [token]: { stateDiff: Object.fromEntries(stocked) } } : {}
  const trials = [...neutral, ...pooled]
  if (trials.length === 0) return undefined
  const calls = trials.flatMap(({ amount, sender, receiver }) => {
    const balances = [sender, receiver].map((holder) => ({ to: token, data: encodeBalance(holder), gas: callGas }))
    return [...balances, toTransfer(token, sender, receiver, amount), ...balances]
  })
  const { results } = await simulate(calls, overrides, signal)
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

const toAccount = (index: number): Address => numberToHex(firstAccount + BigInt(index), { size: 20 })

const toTransfer = (token: Address, from: Address, to: Address, amount: bigint): SimulatedCall => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  gas: callGas,
})

const toAmount = (result: { succeeded: boolean; returnData: Hex } | undefined): bigint | undefined =>
  result?.succeeded ? readSingleWord(result.returnData) : undefined
