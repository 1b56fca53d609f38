import { type Address, erc20Abi, parseAbi, zeroAddress } from 'viem'
import { networks } from '#shared/networks.ts'
import type { OperatorChain } from '../contracts/connectOperator.ts'

/** Blocks over which the block time is measured. */
const measuredBlocks = 100n

/** Average seconds between blocks; undefined on a chain with few blocks. */
export const findBlockTime = async (chain: OperatorChain): Promise<number | undefined> => {
  const head = await chain.getBlock()
  if (head.number < measuredBlocks) return undefined
  const earlier = await chain.getBlock({ blockNumber: head.number - measuredBlocks })
  const seconds = Number(head.timestamp - earlier.timestamp) / Number(measuredBlocks)
  return Math.max(0.1, Math.round(seconds * 100) / 100)
}

/** Symbol and decimals of a token; undefined when the address is no token. */
export const findToken = async (
  chain: OperatorChain,
  address: Address,
): Promise<{ symbol: string; decimals: number } | undefined> => {
  const token = { address, abi: erc20Abi } as const
  try {
    const decimals = await chain.readContract({ ...token, functionName: 'decimals' })
    return { symbol: await chain.readContract({ ...token, functionName: 'symbol' }).catch(() => ''), decimals }
  } catch {
    return undefined
  }
}

const factoryAbi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function feeAmountTickSpacing(uint24) view returns (int24)',
])
/** of pools with a fee of 0.3 % */
const tickSpacing = 60

/** Whether an address has a factory of Uniswap V2. */
export const isV2Factory = (chain: OperatorChain, address: Address): Promise<boolean> =>
  chain
    .readContract({ address, abi: factoryAbi, functionName: 'getPair', args: [zeroAddress, zeroAddress] })
    .then((pair) => pair === zeroAddress)
    .catch(() => false)

const isV3Factory = (chain: OperatorChain, address: Address): Promise<boolean> =>
  chain
    .readContract({ address, abi: factoryAbi, functionName: 'feeAmountTickSpacing', args: [3_000] })
    .then((spacing) => spacing === tickSpacing)
    .catch(() => false)

type Exchanges = { uniswapV2Factory?: Address; uniswapV3?: { factory: Address; router: Address } }

/** Uniswap at an address that it has on a shipped network: many chains have it at one of those. */
export const findExchanges = async (chain: OperatorChain): Promise<Exchanges> => {
  const shipped = Object.values(networks)
  const isReal = (address: Address) => address !== zeroAddress
  const v2 = [...new Set(shipped.map(({ uniswapV2Factory }) => uniswapV2Factory))].filter(isReal)
  const v3 = [...new Map(shipped.map(({ uniswapV3 }) => [uniswapV3.factory, uniswapV3])).values()]
  const found: Exchanges = {}
  for (const factory of v2)
    if (!found.uniswapV2Factory && (await isV2Factory(chain, factory))) found.uniswapV2Factory = factory
  for (const exchange of v3)
    if (!found.uniswapV3 && isReal(exchange.factory) && (await isV3Factory(chain, exchange.factory)))
      found.uniswapV3 = exchange
  return found
}
