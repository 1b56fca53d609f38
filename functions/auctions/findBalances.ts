import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { isContractFault } from '#shared/chain/isContractFault.ts'
import type { ClockDeps } from './clockDeps.ts'
import { mapBounded } from './mapBounded.ts'

/** Whose balance of which token. */
export type Holding = { owner: Address; token: Address }

/** Balances since one block; a new block empties it. */
export type BalanceCache = { blockHash: string; balances: Map<string, bigint> }

export const createBalanceCache = (): BalanceCache => ({ blockHash: '', balances: new Map() })

export const toHoldingKey = ({ owner, token }: Holding): string => `${owner}:${token}`

/** Bytes of calldata in one `eth_call`: some hundred balances. */
const batchBytes = 64 * 1024
/** Gas units of one call asked alone: plenty for any token, little work for the node. */
const gasAlone = 1_000_000n
/** A Worker has six connections. */
const parallelCalls = 4

/**
 * What the settlement contract could take from each owner: the lesser of balance and allowance to the vault relayer, token
 * atoms, by `toHoldingKey`. A token that does not answer counts as 0. Read at the head, which may be newer than `block`: an
 * order must not be judged by what its owner held before it was accepted.
 * @param unjudged holdings of orders that no auction has looked at; these are read even when they are known
 * @throws Error when the node fails
 */
export const findBalances = async (
  { network, chain }: Pick<ClockDeps, 'network' | 'chain'>,
  cache: BalanceCache,
  block: IndexedBlock,
  holdings: readonly Holding[],
  unjudged: readonly Holding[] = [],
): Promise<ReadonlyMap<string, bigint>> => {
  if (cache.blockHash !== block.hash) {
    cache.blockHash = block.hash
    cache.balances = new Map()
  }
  const { balances } = cache
  for (const holding of unjudged) balances.delete(toHoldingKey(holding))
  const missing = new Map<string, Holding>()
  for (const holding of holdings) {
    const key = toHoldingKey(holding)
    if (!balances.has(key)) missing.set(key, holding)
  }
  if (missing.size === 0) return balances
  const results = await chain.multicall({
    contracts: [...missing.values()].flatMap(({ owner, token }) => [
      { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const,
      { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, network.vaultRelayer] } as const,
    ]),
    allowFailure: true,
    batchSize: batchBytes,
  })
  const unclear: [string, Holding][] = []
  for (const [i, entry] of [...missing].entries()) {
    const balance = results[2 * i]?.result
    const allowance = results[2 * i + 1]?.result
    if (balance === undefined || allowance === undefined) unclear.push(entry)
    else balances.set(entry[0], min(balance, allowance))
  }
  await mapBounded(unclear, parallelCalls, async ([key, holding]) => {
    balances.set(key, await findAlone({ network, chain }, holding))
  })
  return balances
}

/**
 * A call that failed among others says little: the node may have failed, or a token before it burned the gas of all. Asked
 * alone and with gas of its own, each token answers only for itself.
 * @returns 0 when the token gives no usable answer
 * @throws Error when the node fails
 */
const findAlone = async (
  { network, chain }: Pick<ClockDeps, 'network' | 'chain'>,
  { owner, token }: Holding,
): Promise<bigint> => {
  const ask = async (data: Hex): Promise<bigint> => {
    try {
      const answer = (await chain.call({ to: token, data, gas: gasAlone })).data ?? '0x'
      return answer.length >= 66 ? BigInt(answer.slice(0, 66)) : 0n
    } catch (error) {
      if (isContractFault(error)) return 0n
      throw error
    }
  }
  const args = [owner, network.vaultRelayer] as const
  const balance = await ask(encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }))
  return min(balance, await ask(encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })))
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
