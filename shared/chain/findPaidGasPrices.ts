import { z } from 'zod'
import type { ChainClient } from './connectChain.ts'

/** blocks: twenty minutes of Ethereum, within what every public node returns */
const historyBlocks = 100

const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]{1,32}$/i)
  .transform(BigInt)
const historySchema = z.object({
  baseFeePerGas: z.array(quantitySchema).max(historyBlocks + 1),
  reward: z.array(z.array(quantitySchema).max(1)).max(historyBlocks).nullish(),
})

/**
 * Gas prices of the last blocks and the next one, in order: base fee plus tip, wei per gas unit. The tip is the median
 * of the paid tips and the same for all blocks, because empty blocks have no tip without being cheaper.
 * @throws viem errors when the node does not respond, ZodError when its response is malformed
 */
export const findPaidGasPrices = async (chain: Pick<ChainClient, 'request'>): Promise<bigint[]> => {
  const history = await chain.request({
    method: 'eth_feeHistory',
    params: [`0x${historyBlocks.toString(16)}`, 'latest', [50]],
  })
  const { baseFeePerGas, reward } = historySchema.parse(history)
  const paid = (reward ?? [])
    .flat()
    .filter((tip) => tip > 0n)
    .sort((a, b) => (a < b ? -1 : 1))
  const tip = paid[paid.length >> 1] ?? 0n
  return baseFeePerGas.map((baseFee) => baseFee + tip)
}
