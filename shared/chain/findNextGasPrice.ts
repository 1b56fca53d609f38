import type { Client } from 'viem'
import { estimateMaxPriorityFeePerGas } from 'viem/actions'
import type { ChainClient } from './connectChain.ts'

/** Base fee of the newest block and the usual tip, wei per gas unit. */
export type BlockFees = { baseFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * Gas price that a settlement of the next block pays at most: base fees rise by up to an eighth per block (EIP-1559).
 * @returns wei per gas unit
 */
export const computeNextGasPrice = ({ baseFeePerGas, maxPriorityFeePerGas }: BlockFees): bigint =>
  (baseFeePerGas * 9n + 7n) / 8n + maxPriorityFeePerGas

/** @throws viem errors when the node fails */
export const findUsualTip = (client: ChainClient): Promise<bigint> =>
  estimateMaxPriorityFeePerGas(client as unknown as Client)

/**
 * The gas price at which quotes charge their gas: that of the reference solver.
 * @returns wei per gas unit
 * @throws viem errors when the node fails
 */
export const findNextGasPrice = async (client: ChainClient): Promise<bigint> => {
  const [{ baseFeePerGas }, maxPriorityFeePerGas] = await Promise.all([client.getBlock(), findUsualTip(client)])
  return computeNextGasPrice({ baseFeePerGas: baseFeePerGas ?? 0n, maxPriorityFeePerGas })
}
