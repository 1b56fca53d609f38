import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Network } from '#shared/networks.ts'
import type { OperatorChain } from '../contracts/connectOperator.ts'
import type { Payment } from './computeOwed.ts'

/** Transfers of one settlement: about 60,000 gas each. */
const maxTransfers = 100
/** gas units of a transfer, and of the settlement around it */
const maxGas = { transfer: 300_000n, settlement: 100_000n }

/**
 * Pays in one settlement without trades. A transfer that reverts in a settlement of its own, or uses much gas, is left out and
 * named: tokens of strangers may do both.
 * @param options.nonce of the settlement: one that is used already is refused; the next one when omitted
 * @throws Error when the account may not settle, or the settlement reverts
 */
export const payFees = async (
  chain: OperatorChain,
  { settlementContract: settlement, name }: Pick<Network, 'settlementContract' | 'name'>,
  payouts: readonly Payment[],
  { nonce, dryRun, log }: { nonce?: number | undefined; dryRun: boolean; log: (line: string) => void },
): Promise<void> => {
  await checkAllowed(chain, settlement, name)
  const payable: Payment[] = []
  for (const payout of payouts.slice(0, maxTransfers)) {
    const gas = maxGas.settlement + maxGas.transfer
    const isPossible = await chain
      .call({ account: chain.account, to: settlement, data: toSettlement([payout]), gas })
      .then(
        () => true,
        () => false,
      )
    log(`  ${payout.amount} of ${payout.token} to ${payout.to}${isPossible ? '' : ': left out, its transfer fails'}`)
    if (isPossible) payable.push(payout)
  }
  if (payouts.length > maxTransfers) log(`  ${payouts.length - maxTransfers} more: run the command again`)
  if (payable.length === 0) return log('nothing to pay')
  const data = toSettlement(payable)
  const gas = await chain.estimateGas({ account: chain.account, to: settlement, data })
  log(
    `${payable.length} transfers, ${gas} gas, ${gas * (await chain.getGasPrice())} wei${dryRun ? ': dry run, nothing is sent' : ''}`,
  )
  if (dryRun) return
  const hash = await chain.sendTransaction({ to: settlement, data, gas: (gas * 6n) / 5n, nonce })
  const { status } = await chain.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  log(`paid in ${hash}`)
}

const toSettlement = (payouts: readonly Payment[]) => {
  const interactions = payouts.map((payout) => ({ target: payout.token, value: 0n, callData: toTransfer(payout) }))
  return encodeFunctionData({ abi: settlementAbi, functionName: 'settle', args: [[], [], [], [[], [], interactions]] })
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
