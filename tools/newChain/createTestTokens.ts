import type { Address } from 'viem'
import { queryChain } from '../doctor/queryChain.ts'
import { connectLocalChain } from '../stack/chain/connectLocalChain.ts'
import { createUniswapV2Pools } from '../stack/chain/contracts/createUniswapV2Pools.ts'
import { deployTestTokens } from '../stack/chain/contracts/deployTestTokens.ts'
import { deployWrappedNative } from '../stack/chain/contracts/deployWrappedNative.ts'

/**
 * Gives a chain of anvil what a real one has already: a wrapped native token, a dollar token, and pools of Uniswap V2.
 * A second call changes nothing.
 * @throws Error when the node is not anvil
 */
export const createTestTokens = async (
  rpcUrl: string,
  chainId: number,
): Promise<{ wrapped: Address; usd: Address; factory: Address }> => {
  const chain = connectLocalChain(rpcUrl, chainId)
  const version = await queryChain(rpcUrl, 'web3_clientVersion', [])
  if (version.kind !== 'result' || !String(version.result).startsWith('anvil'))
    throw new Error('--test-tokens is for anvil, and the node is another one')
  const wrapped = await deployWrappedNative(chain)
  const tokens = await deployTestTokens(chain)
  const factory = await createUniswapV2Pools(chain, { WETH: { address: wrapped, decimals: 18 }, ...tokens })
  return { wrapped, usd: tokens.USDC.address, factory }
}
