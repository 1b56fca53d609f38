import type { Address } from 'viem'
import { gasPriceOracle, nodeInterface } from '#shared/chain/findDataFee.ts'
import type { Network } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { findRuntimeCode } from './findRuntimeCode.ts'
import { hasCode } from './hasCode.ts'
import { installContract } from './installContract.ts'
import { readCompiledContract } from './readCompiledContract.ts'

const contracts = {
  optimism: { name: 'GasPriceOracle', address: gasPriceOracle },
  arbitrum: { name: 'NodeInterface', address: nodeInterface },
} as const satisfies Record<string, { name: string; address: Address }>

/** Installs what prices the data of transactions on a network, at its public address. */
export const deployDataFee = async (chain: LocalChain, { dataFee }: Pick<Network, 'dataFee'>): Promise<void> => {
  if (dataFee === 'none') return
  const { name, address } = contracts[dataFee]
  if (await hasCode(chain, address)) return
  const { creationCode } = readCompiledContract(name)
  await installContract(chain, address, { code: await findRuntimeCode(chain, creationCode) })
}
