import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Network } from '#shared/networks.ts'
import type { OperatorChain } from '../contracts/connectOperator.ts'
import type { Payment } from './computeOwed.ts'

/** Transfers of one settlement: about 60,000 gas each. */
const maxTransfers = 100

/**
 * Pays in one settlement without trades. A transfer that reverts alone is left out and named.
 * @throws Error when the account may not settle, or the settlement reverts
 */
export const payFees = async (
  chain: OperatorChain,
  { settlementContract: settlement, name }: Pick<Network, 'settlementContract' | 'name'>,
  payouts: readonly Payment[],
  { dryRun, log }: { dryRun: boolean; log: (line: string) => void },
): Promise<void> => {
  const payable: Payment[] = []
  for (const payout of payouts.slice(0, maxTransfers)) {
    const isPossible = await chain.call({ account: settlement, to: payout.token, data: toTransfer(payout) }).then(
      () => true,
      () => false,
    )
    log(`  ${payout.amount} of ${payout.token} to ${payout.to}${isPossible ? '' : ': left out, its transfer reverts'}`)
    if (isPossible) payable.push(payout)
  }
  if (payouts.length > maxTransfers) log(`  ${payouts.length - maxTransfers} more: run the command again`)
  if (payable.length === 0) return log('nothing to pay')
  const interactions = payable.map((payout) => ({ target: payout.token, value: 0n, callData: toTransfer(payout) }))
  const data = encodeFunctionData({
    abi: settlementAbi,
    functionName: 'settle',
    args: [[], [], [], [[], [], interactions]],
  })
  await checkAllowed(chain, settlement, name)
  const gas = await chain.estimateGas({ account: chain.account, to: settlement, data })
  log(
    `${payable.length} transfers, ${gas} gas, ${gas * (await chain.getGasPrice())} wei${dryRun ? ': dry run, nothing is sent' : ''}`,
  )
  if (dryRun) return
  const hash = await chain.sendTransaction({ to: settlement, data, gas: (gas * 6n) / 5n })
  const { status } = await chain.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  log(`paid in ${hash}`)
}

const toTransfer = ({ to, amount }: Payment) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

const checkAllowed = async (chain: OperatorChain, settlement: Address, name: string): Promise<void> => {
  const { address } = chain.account
  const authenticator = await chain.readContract({
    address: settlement,
    abi: settlementAbi,
    functionName: 'authenticator',
  })
  const list = { address: authenticator, abi: authenticatorAbi } as const
  if (await chain.readContract({ ...list, functionName: 'isSolver', args: [address] })) return
  throw new Error(`${address} may not settle: npm run solvers -- ${name} add ${address}, and remove it afterwards`)
}
