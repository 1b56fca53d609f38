import { type Address, encodeFunctionData } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import type { Network } from '#shared/networks.ts'
import type { Interaction } from '#shared/solvers/encodeSettlement.ts'
import type { Pool } from '../pools/pool.ts'
import { buildSwapInteractions } from '../routing/buildSwapInteractions.ts'
import { buildUnwrapInteractions } from '../solutions/buildUnwrapInteractions.ts'
import { EngineFault, type EngineInteraction } from './engineApi.ts'

/** What a spender may take of a token in one settlement. */
export type Allowance = { token: Address; spender: Address; amount: bigint }

/** Map key of an allowance. */
export const toAllowanceKey = ({ token, spender }: Pick<Allowance, 'token' | 'spender'>): string =>
  `${token}${spender.slice(2)}`

/** The allowances that the interactions need, one for each token and spender. */
export const sumAllowances = (interactions: readonly EngineInteraction[]): Allowance[] => {
  const sums = new Map<string, Allowance>()
  for (const interaction of interactions) {
    if (interaction.kind !== 'custom') continue
    for (const allowance of interaction.allowances) {
      const key = toAllowanceKey(allowance)
      const sum = (sums.get(key)?.amount ?? 0n) + allowance.amount
      sums.set(key, { ...allowance, amount: minOf(sum, maxUint256) })
    }
  }
  return [...sums.values()].filter(({ amount }) => amount > 0n)
}

/**
 * Builds the calls between the payments in and out: approvals, the engine's interactions, and the payment of the native
 * token. An approval is set for its settlement and revoked at the end, so that no allowance outlives it. Nothing is
 * internalised: every interaction is executed.
 * @param pools by id of the liquidity
 * @param allowed current allowances of the settlement contract by `toAllowanceKey`
 * @param paidOut wei
 * @throws EngineFault when an interaction names unknown liquidity
 */
export const buildInteractions = (
  interactions: readonly EngineInteraction[],
  pools: readonly Pool[],
  allowed: ReadonlyMap<string, bigint>,
  network: Network,
  paidOut: bigint,
): Interaction[] => {
  const missing = sumAllowances(interactions).filter(
    (allowance) => (allowed.get(toAllowanceKey(allowance)) ?? 0n) < allowance.amount,
  )
  return [
    // some tokens refuse to change an allowance that is not zero
    ...missing.flatMap((allowance) => (allowed.get(toAllowanceKey(allowance)) ? [buildApproval(allowance, 0n)] : [])),
    ...missing.map((allowance) => buildApproval(allowance, allowance.amount)),
    ...interactions.flatMap((interaction) => buildInteraction(interaction, pools, network)),
    ...missing.map((allowance) => buildApproval(allowance, 0n)),
    ...buildUnwrapInteractions(network.wrappedNative, paidOut),
  ]
}

const buildApproval = ({ token, spender }: Allowance, amount: bigint): Interaction => ({
  target: token,
  value: 0n,
  callData: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
})

const buildInteraction = (interaction: EngineInteraction, pools: readonly Pool[], network: Network): Interaction[] => {
  if (interaction.kind === 'custom') {
    const { target, value, callData } = interaction
    return [{ target, value, callData }]
  }
  const { id, inputToken: tokenIn, outputToken: tokenOut, inputAmount: amountIn, outputAmount: amountOut } = interaction
  const pool = /^\d{1,6}$/.test(id) ? pools[Number(id)] : undefined
  const isPair = [pool?.token0, pool?.token1].sort().join() === [tokenIn, tokenOut].sort().join()
  if (!pool || !isPair) {
    throw new EngineFault({ kind: 'driverError', reason: `no liquidity ${id} of ${tokenIn} and ${tokenOut}` })
  }
  return buildSwapInteractions(
    { hops: [{ pool, tokenIn, tokenOut, amountIn, amountOut }], amountIn, amountOut },
    network,
  )
}
