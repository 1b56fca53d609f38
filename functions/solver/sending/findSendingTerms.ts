import type { Address, Hex } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { findUsualTip } from '#shared/chain/findNextGasPrice.ts'

/** Fees and gas limit of a solver transaction. Contracts can read them, so simulations use the same. */
export interface SendingTerms {
  /** gas limit, gas units */
  gas: bigint
  /** wei per gas unit */
  maxFeePerGas: bigint
  /** wei per gas unit */
  maxPriorityFeePerGas: bigint
}

/** Terms of a transaction sent now; `gas` is the maximum that block and balance allow. */
export interface CurrentTerms extends SendingTerms {
  /** newest block, its hash, its time in Unix seconds, and its base fee in wei per gas unit */
  head: number
  hash: Hex
  timestamp: bigint
  baseFeePerGas: bigint
  /** balance of the sender, wei */
  balance: bigint
}

/** largest gas limit of one transaction (EIP-7825) */
const maxTransactionGas = 16_777_216n
/** a solver that cannot pay for this much gas proposes nothing and is not ready (`/readyz`) */
const minAffordableGas = 500_000n

/**
 * Finds fee cap, tip and gas limit of a transaction that `sender` could send now. Nodes reject calls with fee fields
 * when the sender cannot pay for the gas limit, and some assume a whole block when it is missing, so calls state this
 * limit.
 * @throws viem errors when the node fails
 */
export const findSendingTerms = async (client: ChainClient, sender: Address): Promise<CurrentTerms> => {
  const [block, balanceHex, maxPriorityFeePerGas] = await Promise.all([
    client.getBlock(),
    client.request({ method: 'eth_getBalance', params: [sender, 'latest'] }),
    findUsualTip(client),
  ])
  const baseFeePerGas = block.baseFeePerGas ?? 0n
  const balance = BigInt(balanceHex)
  const maxFeePerGas = 2n * baseFeePerGas + maxPriorityFeePerGas
  const most = minOf(block.gasLimit / 2n, maxTransactionGas)
  const gas = maxFeePerGas > 0n ? minOf(most, balance / maxFeePerGas) : most
  return {
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    head: Number(block.number),
    hash: block.hash,
    timestamp: block.timestamp,
    baseFeePerGas,
    balance,
  }
}

/** @returns why an account cannot pay for a settlement; undefined when it can */
export const describeShortage = ({ maxFeePerGas, balance }: CurrentTerms): string | undefined => {
  const cost = minAffordableGas * maxFeePerGas
  if (balance >= cost) return undefined
  return `the solver's account holds ${balance} wei; ${minAffordableGas} gas cost up to ${cost} wei`
}
