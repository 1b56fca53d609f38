import type { Address, Client } from 'viem'
import { estimateMaxPriorityFeePerGas } from 'viem/actions'
import { minOf } from '#shared/amounts/minMax.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'

/** What a transaction of the solver offers and may use. A contract reads all of it, so simulations have the same. */
export interface SendingTerms {
  /** gas limit, gas units */
  gas: bigint
  /** wei per gas unit */
  maxFeePerGas: bigint
  /** wei per gas unit */
  maxPriorityFeePerGas: bigint
}

/** The terms of a transaction that is sent now; `gas` is the most that the block and the balance allow. */
export interface CurrentTerms extends SendingTerms {
  /** newest block, and its base fee in wei per gas unit */
  head: number
  baseFeePerGas: bigint
  /** of the sender, wei */
  balance: bigint
}

/** largest gas limit of one transaction (EIP-7825) */
const maxTransactionGas = 16_777_216n
/** a solver that cannot pay for this much gas proposes nothing, and says so at `/readyz` */
const minAffordableGas = 500_000n

/**
 * Fee cap, tip and gas limit of a transaction that `sender` could send now. Nodes refuse a call with fee fields when the
 * sender cannot pay for its whole gas limit, some of them for a whole block when the limit is missing: calls name this one.
 * @throws viem errors when the chain does not answer
 */
export const findSendingTerms = async (client: ChainClient, sender: Address): Promise<CurrentTerms> => {
  const [block, balanceHex, maxPriorityFeePerGas] = await Promise.all([
    client.getBlock(),
    client.request({ method: 'eth_getBalance', params: [sender, 'latest'] }),
    estimateMaxPriorityFeePerGas(client as unknown as Client),
  ])
  const baseFeePerGas = block.baseFeePerGas ?? 0n
  const balance = BigInt(balanceHex)
  const maxFeePerGas = 2n * baseFeePerGas + maxPriorityFeePerGas
  const most = minOf(block.gasLimit / 2n, maxTransactionGas)
  const gas = maxFeePerGas > 0n ? minOf(most, balance / maxFeePerGas) : most
  return { gas, maxFeePerGas, maxPriorityFeePerGas, head: Number(block.number), baseFeePerGas, balance }
}

/** @returns why an account cannot pay for a settlement; undefined when it can */
export const describeShortage = ({ maxFeePerGas, balance }: CurrentTerms): string | undefined => {
  const cost = minAffordableGas * maxFeePerGas
  if (balance >= cost) return undefined
  return `the solver's account holds ${balance} wei; ${minAffordableGas} gas cost up to ${cost} wei`
}
