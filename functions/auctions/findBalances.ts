import type { Address } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import type { ClockDeps } from './clockDeps.ts'

/** Whose balance of which token. */
export type Holding = { owner: Address; token: Address }

/** Balances since one block; a new block empties it. */
export type BalanceCache = { blockHash: string; balances: Map<string, bigint> }

export const createBalanceCache = (): BalanceCache => ({ blockHash: '', balances: new Map() })

export const toHoldingKey = ({ owner, token }: Holding): string => `${owner}:${token}`

/** Bytes of calldata in one `eth_call`: some hundred balances. */
const batchBytes = 64 * 1024

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
  for (const [i, key] of [...missing.keys()].entries()) {
    const balance = results[2 * i]?.result ?? 0n
    const allowance = results[2 * i + 1]?.result ?? 0n
    balances.set(key, balance < allowance ? balance : allowance)
  }
  return balances
}
