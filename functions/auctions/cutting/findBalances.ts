import { encodeFunctionData, type Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { isContractFault } from '#shared/chain/isContractFault.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { ClockDeps } from '../clockDeps.ts'
import { findTouched } from './findTouched.ts'
import { type Holding, toHoldingKey } from './toHoldingKey.ts'

/** What an owner has of a token and what of it the vault relayer may move, token atoms. */
export type Funds = { balance: bigint; allowance: bigint }

/** Funds as of one block, and when each was read (Unix seconds), oldest first. */
export type BalanceCache = {
  block: Pick<IndexedBlock, 'number' | 'hash'> | undefined
  balances: Map<string, Funds>
  readAt: Map<string, number>
  /** read for the first time since a change, at a head that may not have stayed one */
  unconfirmed: Set<string>
}

export const createBalanceCache = (): BalanceCache => ({
  block: undefined,
  balances: new Map(),
  readAt: new Map(),
  unconfirmed: new Set(),
})

/** Bytes of calldata in one `eth_call`: some hundred balances. */
const batchBytes = 64 * 1024
/** Gas units of one call asked alone: plenty for any token, little work for the node. */
const gasAlone = 1_000_000n
/** A Worker has six connections. */
const parallelCalls = 4

/** Funds older than this are read again, whatever the logs say, */
const maxAgeSeconds = 600
/** but no more of them than this with a block: one call. */
const maxRefreshed = 500

/**
 * What each owner holds and has approved, by `toHoldingKey`. A token that does not answer counts as 0. Read at the head,
 * which may be newer than `block`: an order must not be judged by what its owner held before it was accepted.
 *
 * What is known is kept. With a new block only those holdings are read again that a log of their token tells of
 * (`findTouched`), those read for the first time with the block before, and some that are old: a log that was missed, and a token that changes balances without one, are noticed
 * then, and by the simulation of a settlement before.
 * @param unjudged holdings of orders that no auction has looked at; these are read even when they are known
 * @throws Error when the node fails
 */
export const findBalances = async (
  { network, chain }: Pick<ClockDeps, 'network' | 'chain'>,
  cache: BalanceCache,
  block: IndexedBlock,
  holdings: readonly Holding[],
  unjudged: readonly Holding[] = [],
): Promise<ReadonlyMap<string, Funds>> => {
  const wanted = new Map(holdings.map((holding) => [toHoldingKey(holding), holding]))
  forget(
    cache,
    [...cache.balances.keys()].filter((key) => !wanted.has(key)),
  )
  const confirmed = new Set<string>()
  if (cache.block?.hash !== block.hash) {
    forget(cache, await findOutdated({ chain }, cache, block, wanted))
    for (const key of cache.unconfirmed) confirmed.add(key)
    forget(cache, cache.unconfirmed)
    cache.unconfirmed.clear()
    cache.block = block
  }
  forget(cache, unjudged.map(toHoldingKey))
  const missing = [...wanted].filter(([key]) => !cache.balances.has(key))
  for (const [key, funds] of await readFunds({ network, chain }, missing)) {
    cache.balances.set(key, funds)
    cache.readAt.set(key, toSeconds(block))
    if (!confirmed.has(key)) cache.unconfirmed.add(key)
  }
  return cache.balances
}

/** Keys of known holdings that have to be read again because of a new block. */
const findOutdated = async (
  { chain }: Pick<ClockDeps, 'chain'>,
  { block: before, balances, readAt }: BalanceCache,
  block: IndexedBlock,
  wanted: ReadonlyMap<string, Holding>,
): Promise<Iterable<string>> => {
  if (balances.size === 0) return []
  const tokens = [...new Set([...wanted.values()].map(({ token }) => token))]
  const touched = before && (await findTouched(chain, tokens, before, block))
  if (!touched) return [...balances.keys()]
  const old = [...readAt].slice(0, maxRefreshed).filter(([, at]) => toSeconds(block) - at >= maxAgeSeconds)
  return [...touched, ...old.map(([key]) => key)]
}

const forget = ({ balances, readAt }: BalanceCache, keys: Iterable<string>): void => {
  for (const key of keys) {
    balances.delete(key)
    readAt.delete(key)
  }
}

const toSeconds = ({ timestamp }: IndexedBlock): number => Math.floor(timestamp.getTime() / 1000)

const readFunds = async (
  { network, chain }: Pick<ClockDeps, 'network' | 'chain'>,
  wanted: readonly [string, Holding][],
): Promise<[string, Funds][]> => {
  if (wanted.length === 0) return []
  const results = await chain.multicall({
    contracts: wanted.flatMap(([, { owner, token }]) => [
      { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const,
      { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, network.vaultRelayer] } as const,
    ]),
    allowFailure: true,
    batchSize: batchBytes,
  })
  const answers = wanted.map(([key, holding], i) => {
    const balance = results[2 * i]?.result
    const allowance = results[2 * i + 1]?.result
    const funds = balance === undefined || allowance === undefined ? undefined : { balance, allowance }
    return { key, holding, funds }
  })
  const alone = await mapBounded(
    answers.filter(({ funds }) => !funds),
    parallelCalls,
    async ({ key, holding }): Promise<[string, Funds]> => [key, await findAlone({ network, chain }, holding)],
  )
  return [...answers.flatMap(({ key, funds }): [string, Funds][] => (funds ? [[key, funds]] : [])), ...alone]
}

/**
 * A call that failed among others says little: the node may have failed, or a token before it burned the gas of all. Asked
 * alone and with gas of its own, each token answers only for itself.
 * @returns 0 of what the token gives no usable answer about
 * @throws Error when the node fails
 */
const findAlone = async (
  { network, chain }: Pick<ClockDeps, 'network' | 'chain'>,
  { owner, token }: Holding,
): Promise<Funds> => {
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
  return {
    balance: await ask(encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })),
    allowance: await ask(encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })),
  }
}
