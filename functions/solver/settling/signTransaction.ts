import type { AccessList, Address, Hex } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { maxOf } from '#shared/amounts/minMax.ts'
import type { SendingTerms } from './findSendingTerms.ts'
import type { SignedTransaction } from './settlementStore.ts'

const transferGas = 21_000n
/** nodes accept a replacement that pays at least a tenth more; an eighth is common */
const feeBumpPercent = 113n

/** @param atBlock head */
export const signTransaction = async (
  { account, chainId }: { account: LocalAccount; chainId: number },
  atBlock: number,
  transaction: { nonce: number; to: Address; data?: Hex; accessList?: AccessList } & SendingTerms,
): Promise<SignedTransaction> => {
  const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const raw = await account.signTransaction({ type: 'eip1559', chainId, ...transaction })
  return { raw, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, atBlock }
}

/** An empty self-transfer, which only uses a nonce. */
export const signTransfer = (
  sender: { account: LocalAccount; chainId: number },
  atBlock: number,
  nonce: number,
  { maxFeePerGas, maxPriorityFeePerGas }: Omit<SendingTerms, 'gas'>,
): Promise<SignedTransaction> =>
  signTransaction(sender, atBlock, {
    nonce,
    to: sender.account.address,
    gas: transferGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
  })

/** Fees that replace an earlier transaction of the same nonce, at least those of the market. */
export const raiseFees = (
  earlier: Omit<SendingTerms, 'gas'>,
  market: Omit<SendingTerms, 'gas'>,
): Omit<SendingTerms, 'gas'> => ({
  maxFeePerGas: maxOf(market.maxFeePerGas, bump(earlier.maxFeePerGas)),
  maxPriorityFeePerGas: maxOf(market.maxPriorityFeePerGas, bump(earlier.maxPriorityFeePerGas)),
})

const bump = (fee: bigint): bigint => (fee * feeBumpPercent + 99n) / 100n
