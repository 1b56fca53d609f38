import type { Address } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import { settle } from '../processes/settle.ts'
import type { LocalChain } from './connectLocalChain.ts'
import { allowListSolvers } from './contracts/allowListSolvers.ts'
import { compileAside } from './contracts/compileContracts.ts'
import { createUniswapV2Pools, type PoolTokens } from './contracts/createUniswapV2Pools.ts'
import { createUniswapV3Pools } from './contracts/createUniswapV3Pools.ts'
import { deployComposableCow } from './contracts/deployComposableCow.ts'
import { deployDataFee } from './contracts/deployDataFee.ts'
import { deployEthFlow } from './contracts/deployEthFlow.ts'
import { deployHooksTrampoline } from './contracts/deployHooksTrampoline.ts'
import { deployMulticall3 } from './contracts/deployMulticall3.ts'
import { deploySettlementContracts } from './contracts/deploySettlementContracts.ts'
import { deployTestTokens } from './contracts/deployTestTokens.ts'
import { deployWrappedNative } from './contracts/deployWrappedNative.ts'
import { fundAccounts } from './fundAccounts.ts'

export type PreparedChain = {
  contracts: Record<
    | 'settlement'
    | 'vaultRelayer'
    | 'authenticator'
    | 'hooksTrampoline'
    | 'ethFlow'
    | 'composableCow'
    | 'wrappedNative'
    | 'multicall3'
    | 'uniswapV2Factory'
    | 'uniswapV3Factory'
    | 'uniswapV3Router'
    | 'uniswapV3PositionManager',
    Address
  >
  tokens: PoolTokens
}

/** Prepares an empty chain for trading; sends nothing on a prepared one. */
export const prepareChain = async (
  chain: LocalChain,
  options: { network?: Network; solvers: Address[]; traders: Address[] },
): Promise<PreparedChain> => {
  const { network = networks.sepolia } = options
  const [contracts] = await settle(deploySettlementContracts(chain), compileAside('contracts'))
  await allowListSolvers(chain, contracts, options.solvers)
  const hooksTrampoline = await deployHooksTrampoline(chain, network)
  const wrappedNative = await deployWrappedNative(chain, network)
  const ethFlow = await deployEthFlow(chain, network)
  const composableCow = await deployComposableCow(chain, network)
  const multicall3 = await deployMulticall3(chain)
  await deployDataFee(chain, network)
  const tokens = { WETH: { address: wrappedNative, decimals: 18 }, ...(await deployTestTokens(chain, network)) }
  const uniswapV2Factory = await createUniswapV2Pools(chain, tokens, network)
  const uniswapV3 = await createUniswapV3Pools(chain, tokens, network)
  await fundAccounts(chain, tokens, options.traders)
  const { settlement, vaultRelayer, authenticator } = contracts
  return {
    contracts: {
      settlement,
      vaultRelayer,
      authenticator,
      hooksTrampoline,
      ethFlow,
      composableCow,
      wrappedNative,
      multicall3,
      uniswapV2Factory,
      ...uniswapV3,
    },
    tokens,
  }
}
