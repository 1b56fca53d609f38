import type { Address } from 'viem'
import { allowListSolvers } from './allowListSolvers.ts'
import type { ChainClient } from './connectChain.ts'
import { createUniswapV2Pools, type PoolTokens } from './createUniswapV2Pools.ts'
import { deployMulticall3 } from './deployMulticall3.ts'
import { deploySettlementContracts } from './deploySettlementContracts.ts'
import { deployTestTokens } from './deployTestTokens.ts'
import { deployWrappedNative } from './deployWrappedNative.ts'
import { fundAccounts } from './fundAccounts.ts'

export type PreparedChain = {
  contracts: Record<
    'settlement' | 'vaultRelayer' | 'authenticator' | 'wrappedNative' | 'multicall3' | 'uniswapV2Factory',
    Address
  >
  tokens: PoolTokens
}

/** Everything that trading needs on an empty chain; on one that has it already, nothing is sent. */
export const prepareChain = async (
  chain: ChainClient,
  options: { solvers: Address[]; traders: Address[] },
): Promise<PreparedChain> => {
  const contracts = await deploySettlementContracts(chain)
  await allowListSolvers(chain, contracts, options.solvers)
  const wrappedNative = await deployWrappedNative(chain)
  const multicall3 = await deployMulticall3(chain)
  const tokens = { WETH: { address: wrappedNative, decimals: 18 }, ...(await deployTestTokens(chain)) }
  const uniswapV2Factory = await createUniswapV2Pools(chain, tokens)
  await fundAccounts(chain, tokens, options.traders)
  const { settlement, vaultRelayer, authenticator } = contracts
  return {
    contracts: { settlement, vaultRelayer, authenticator, wrappedNative, multicall3, uniswapV2Factory },
    tokens,
  }
}
