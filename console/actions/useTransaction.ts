import { useState } from 'preact/hooks'
import { numberToHex } from 'viem'
import { useAttempts } from '../ui/useAttempts.ts'
import { useOnChange } from '../ui/useOnChange.ts'
import type { Connection } from '../wallet/connection/openConnection.ts'
import { describeWalletFailure } from '../wallet/describeWalletFailure.ts'
import type { EthereumProvider } from '../wallet/ethereumProvider.ts'

export type TransactionState =
  | { phase: 'idle' | 'confirming' }
  | { phase: 'mining'; transaction: string }
  | { phase: 'failed'; why: string }

type Call = {
  to: string
  data: string
  /** wei */
  value?: bigint
}

const receiptEveryMs = 1_000
const hashPattern = /^0x[0-9a-fA-F]{64}$/
const reverted = 'The transaction failed on the chain. Only its gas was spent.'

/** Sends transactions of the connected account, one at a time, and follows each until its receipt. */
export const useTransaction = (connection: Connection | null) => {
  const [state, setState] = useState<TransactionState>({ phase: 'idle' })
  const attempts = useAttempts()
  const address = connection?.address

  // a transaction belongs to one account
  useOnChange(() => {
    setState({ phase: 'idle' })
    return attempts.end
  }, [address])

  /** @returns true when the transaction succeeded; false when it failed, was rejected or abandoned */
  const send = async ({ to, data, value = 0n }: Call): Promise<boolean> => {
    if (!connection) return false
    const { provider } = connection.choice
    const isCurrent = attempts.begin()
    setState({ phase: 'confirming' })
    try {
      const call = { from: connection.address, to, data, value: numberToHex(value) }
      const transaction = await provider.request({ method: 'eth_sendTransaction', params: [call] })
      if (!isCurrent()) return false
      if (typeof transaction !== 'string' || !hashPattern.test(transaction))
        throw new Error('it returned no transaction hash')
      setState({ phase: 'mining', transaction })
      const isSuccess = await waitForSuccess(provider, transaction, isCurrent)
      if (!isCurrent()) return false
      setState(isSuccess ? { phase: 'idle' } : { phase: 'failed', why: reverted })
      return isSuccess
    } catch (thrown) {
      if (isCurrent()) setState({ phase: 'failed', why: describeWalletFailure(thrown) })
      return false
    }
  }

  const stop = (): void => {
    attempts.end()
    setState({ phase: 'idle' })
  }

  return { state, send, stop }
}

/** A failed request for the receipt is repeated. */
const waitForSuccess = async (
  provider: EthereumProvider,
  transaction: string,
  isCurrent: () => boolean,
): Promise<boolean> => {
  while (isCurrent()) {
    const receipt = await provider
      .request({ method: 'eth_getTransactionReceipt', params: [transaction] })
      .catch(() => null)
    if (typeof receipt === 'object' && receipt !== null && 'status' in receipt) return receipt.status === '0x1'
    await new Promise((resolve) => setTimeout(resolve, receiptEveryMs))
  }
  return false
}
