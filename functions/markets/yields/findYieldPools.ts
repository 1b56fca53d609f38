import type { Address } from 'viem'
import { z } from 'zod'
import type { YieldPool } from '#schema/queries/markets/yieldPools.ts'
import { requestProvider } from '#shared/http/requestProvider.ts'
import type { NetworkName } from '#shared/networks.ts'

/** Pools of the requested networks, or why they are unavailable. */
export type FoundYieldPools =
  | { status: 'found'; pools: ReadonlyMap<NetworkName, YieldPool[]> }
  | { status: 'failed'; reason: string }

/** The list covers all networks: 20,000 pools, 12 MB. */
const maxBytes = 32 * 1024 * 1024
const maxPools = 5_000
/**
 * Characters of pool and project names. Postgres text cannot contain NUL: one would fail the insert of all pools of its
 * network.
 */
const namePattern = /^[\x20-\x7e]{1,100}$/
/** Percent per year and dollars beyond which a number is an error that would distort every mean. */
const maxApr = 1e7
const maxUsd = 1e15

/** DefiLlama's names of networks. */
const chains: { [name in NetworkName]?: string } = {
  mainnet: 'Ethereum',
  gnosis: 'Gnosis',
  arbitrum_one: 'Arbitrum',
  base: 'Base',
}

const responseSchema = z.object({ status: z.literal('success'), data: z.array(z.unknown()).min(1) })
const chainSchema = z.object({ chain: z.string() })
const aprSchema = z.number().min(-maxApr).max(maxApr).nullish()
const usdSchema = z.number().nonnegative().max(maxUsd)
const poolSchema = z.object({
  pool: z.string().regex(namePattern),
  /** in some lists: the pool's contract, possibly with a suffix */
  pool_old: z.string().nullish(),
  project: z.string().regex(namePattern),
  tvlUsd: usdSchema,
  apyBase: aprSchema,
  apy: aprSchema,
  volumeUsd1d: usdSchema.nullish(),
  poolMeta: z.string().nullish(),
})

/**
 * Yields from DefiLlama's list, for the largest 5,000 pools of each network. Malformed entries are skipped; a list
 * without any pool counts as a failure.
 * @returns never rejects; an entry for each network that DefiLlama covers
 */
export const findYieldPools = async (
  url: string,
  networks: readonly NetworkName[],
  { timeoutMs = 30_000 }: { timeoutMs?: number } = {},
): Promise<FoundYieldPools> => {
  const response = await requestProvider(new Request(url, { headers: { Accept: 'application/json' } }), {
    timeoutMs,
    maxBytes,
  })
  if (response.status === 'failed') return response
  if (response.status !== 'answered') return { status: 'failed', reason: response.status }
  const body = responseSchema.safeParse(response.body)
  if (!body.success) return { status: 'failed', reason: 'not the documented shape' }
  const ofChain = Map.groupBy(body.data.data, (row) => chainSchema.safeParse(row).data?.chain)
  const pools = new Map(
    networks.flatMap((network) => {
      const chain = chains[network]
      return chain ? [[network, readPools(ofChain.get(chain) ?? [])] as const] : []
    }),
  )
  return { status: 'found', pools }
}

const readPools = (rows: readonly unknown[]): YieldPool[] => {
  const pools = new Map(rows.flatMap(readPool).map((pool) => [pool.id, pool]))
  return [...pools.values()].sort((a, b) => b.tvl - a.tvl).slice(0, maxPools)
}

const readPool = (row: unknown): YieldPool[] => {
  const { data } = poolSchema.safeParse(row)
  // the list does not compound fees: its `apyBase` of a pool is an APR
  const apr = data?.apyBase ?? data?.apy
  if (!data || apr == null) return []
  return [
    {
      id: data.pool,
      contractAddress: readAddress(data.pool_old ?? data.pool),
      project: data.project,
      apr,
      fee: readPercent(data.poolMeta),
      tvl: data.tvlUsd,
      volume: data.volumeUsd1d ?? null,
    },
  ]
}

const readAddress = (text: string): Address | null => {
  const [address] = /^0x[0-9a-f]{40}(?![0-9a-z])/i.exec(text) ?? []
  return address ? (address.toLowerCase() as Address) : null
}

const readPercent = (text: string | null | undefined): number | null => {
  const [, percent] = /^(\d{1,2}(?:\.\d{1,6})?)%$/.exec(text ?? '') ?? []
  return percent === undefined ? null : Number(percent)
}
