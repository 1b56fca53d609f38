import type { Address, Hex } from 'viem'
import type { OperatorChain } from './connectOperator.ts'
import { create2Deployment } from './create2Deployer.ts'

/** Deploys the deterministic deployer by the transaction that all networks accept. */
export const deployDeployer = async (chain: OperatorChain): Promise<void> => {
  const { from, price, transaction } = create2Deployment
  const balance = await chain.getBalance({ address: from })
  if (balance < price) await sendConfirmed(chain, { to: from, value: price - balance })
  await confirm(chain, await chain.sendRawTransaction({ serializedTransaction: transaction }))
}

/** Sends a transaction and waits for its block. @throws Error when it reverts */
export const sendConfirmed = async (
  chain: OperatorChain,
  call: { to: Address; data?: Hex; value?: bigint },
): Promise<void> => confirm(chain, await chain.sendTransaction(call))

const confirm = async (chain: OperatorChain, hash: Hex): Promise<void> => {
  const { status } = await chain.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
}
