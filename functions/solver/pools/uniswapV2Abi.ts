import { parseAbi } from 'viem'

/** Uniswap V2's factory and its pairs (@uniswap/v2-core), and every deployment of the same code. */
export const uniswapV2Abi = parseAbi([
  'function getPair(address tokenA, address tokenB) view returns (address pair)',
  'function createPair(address tokenA, address tokenB) returns (address pair)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
  'function mint(address to) returns (uint256 liquidity)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])
