import type { Network } from '#shared/networks.ts'
import type { Pool, Pools } from '../pools/pool.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import type { EngineLiquidityBody } from './engineApi.ts'

/** Maximum pools that an engine receives. */
const maxPools = 2_000
/** Fee of every pool of Uniswap V2. */
const constantProductFee = '0.003'

/** Pools with the ids by which an engine names them: their places in the list. */
export const listPools = (pools: Pools): Pool[] => [...pools.values()].flat().slice(0, maxPools)

/** The id and the terms of a pool. A constant-product pool is its own router: tokens are sent to it directly. */
export const toLiquidityBody = (pool: Pool, id: number, { uniswapV3 }: Network): EngineLiquidityBody => {
  const { address, token0, token1 } = pool
  const common = { id: String(id), address, gasEstimate: String(computeSwapGas([pool])) }
  if (pool.kind === 'constantProduct') {
    const tokens = { [token0]: { balance: String(pool.reserve0) }, [token1]: { balance: String(pool.reserve1) } }
    return { kind: pool.kind, ...common, router: address, fee: constantProductFee, tokens }
  }
  const { sqrtPrice, liquidity, tick, ticks, fee } = pool
  return {
    kind: 'concentratedLiquidity',
    ...common,
    router: uniswapV3.router,
    fee: (fee / 1e6).toFixed(6).replace(/0+$/, ''),
    tokens: [token0, token1],
    sqrtPrice: String(sqrtPrice),
    liquidity: String(liquidity),
    tick,
    liquidityNet: Object.fromEntries([...ticks].map(([index, net]) => [String(index), String(net)])),
  }
}
