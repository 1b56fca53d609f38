import { BaseError, encodeFunctionData, parseAbi } from 'viem'
import type { Database } from '#schema/client.ts'
import { type RefundableOrder, selectRefundableOrders } from '#schema/queries/orders/refundableOrders.ts'
import type { Network } from '#shared/networks.ts'
import type { OperatorChain } from '../contracts/connectOperator.ts'

const ethFlowAbi = parseAbi([
  'struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function invalidateOrder(Data order)',
])

/** orders per statement */
const pageSize = 100
/** gas units: the owner's contract may spend what the refund itself, about 50,000, leaves */
const maxGas = 150_000n
const confirmationTimeoutMs = 120_000

export type RefundResult = { refunded: number; skipped: number }

/**
 * Refunds the expired orders of the native token, one transaction each, so that an owner that refuses its ether or
 * burns gas affects no other. What the contract has refunded already reverts in the estimate and is skipped, so rounds
 * may overlap and repeat.
 * @param options.from orders that expired earlier are left out, Unix seconds
 * @throws Error when the node or the database does not answer, or the operator cannot pay
 */
export const sendRefunds = async (
  database: Database,
  chain: OperatorChain,
  network: Pick<Network, 'chainId' | 'ethFlow'>,
  { from, log }: { from: number; log: (line: string) => void },
): Promise<RefundResult> => {
  const result = { refunded: 0, skipped: 0 }
  const before = Number((await chain.getBlock()).timestamp)
  for (let after: RefundableOrder | undefined; ; ) {
    const page = await selectRefundableOrders(database, network, { from, before, limit: pageSize, after })
    for (const order of page) {
      const outcome = await refund(chain, network, order)
      log(`${order.uid}: ${outcome}`)
      if (outcome.startsWith('refunded')) result.refunded += 1
      else result.skipped += 1
    }
    after = page.at(-1)
    if (page.length < pageSize) return result
  }
}

const refund = async (
  chain: OperatorChain,
  { ethFlow: to }: Pick<Network, 'ethFlow'>,
  { uid: _, ...order }: RefundableOrder,
): Promise<string> => {
  const data = encodeFunctionData({ abi: ethFlowAbi, functionName: 'invalidateOrder', args: [order] })
  let gas: bigint
  try {
    gas = await chain.estimateGas({ account: chain.account.address, to, data })
  } catch (error) {
    if (!isRevert(error)) throw error
    return 'skipped, the contract refuses: refunded already, or the owner takes no ether'
  }
  if (gas > maxGas) return `skipped, the owner's contract spends ${gas} gas, more than ${maxGas}`
  const hash = await chain.sendTransaction({ to, data, gas: (gas * 6n) / 5n })
  const { status } = await chain.waitForTransactionReceipt({ hash, timeout: confirmationTimeoutMs })
  return status === 'success' ? `refunded ${order.sellAmount} wei or the unsold rest, ${hash}` : `reverted, ${hash}`
}

const isRevert = (error: unknown): boolean =>
  error instanceof BaseError && /revert/i.test(error.details || error.shortMessage)
