import type { AccessList, Address, Hex } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { SendingTerms } from './findSendingTerms.ts'

const transferGas = 21_000n

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

export interface SignedTransaction {
  raw: Hex
  nonce: number
  /** gas limit, gas units */
  gas: bigint
  /** wei */
  maxFeePerGas: bigint
  /** wei */
  maxPriorityFeePerGas: bigint
  /** head when it was signed */
  atBlock: number
  /** whether no endpoint that may have it includes it after the deadline; absent: one may */
  isExpiring?: boolean
}
