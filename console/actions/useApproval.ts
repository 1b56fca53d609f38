import { useEffect, useRef, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useOnChange } from '../ui/useOnChange.ts'
import type { Connection } from '../wallet/connection/openConnection.ts'
import { describeWalletFailure } from '../wallet/describeWalletFailure.ts'
import { encodeApproval } from './approval.ts'

export type ApprovalState =
  | { phase: 'idle' | 'confirming' }
  /** sent; done when the balances show the allowance */
  | { phase: 'mining'; transaction: string; allowanceBefore: bigint | undefined }
  | { phase: 'failed'; why: string }

const receiptEveryMs = 2_000
const hashPattern = /^0x[0-9a-fA-F]{64}$/
const reverted =
  'The approval failed on the chain: the token refused it. Some tokens take a new approval only after one of 0.'

/**
 * Approves the vault relayer by a transaction of the wallet and waits until the balances show it or the transaction
 * fails.
 * @param allowance of the connected account, atoms; undefined: unknown
 */
export const useApproval = (
  network: Network,
  connection: Connection | null,
  { token, allowance }: { token: string; allowance: bigint | undefined },
) => {
  const [state, setState] = useState<ApprovalState>({ phase: 'idle' })
  const attempt = useRef(0)
  const who = connection ? `${connection.address} ${token}` : ''

  // the state belongs to one account and token
  useOnChange(() => {
    attempt.current += 1
    setState({ phase: 'idle' })
  }, [who])

  const approve = async (amount: bigint): Promise<void> => {
    if (!connection) return
    attempt.current += 1
    const ownAttempt = attempt.current
    setState({ phase: 'confirming' })
    try {
      const call = { from: connection.address, to: token, data: encodeApproval(network.vaultRelayer, amount) }
      const transaction = await connection.choice.provider.request({ method: 'eth_sendTransaction', params: [call] })
      if (ownAttempt !== attempt.current) return
      const isHash = typeof transaction === 'string' && hashPattern.test(transaction)
      setState(
        isHash
          ? { phase: 'mining', transaction, allowanceBefore: allowance }
          : { phase: 'failed', why: 'Your wallet names no transaction.' },
      )
    } catch (thrown) {
      if (ownAttempt === attempt.current) setState({ phase: 'failed', why: describeWalletFailure(thrown) })
    }
  }

  useEffect(() => {
    if (state.phase !== 'mining' || !connection) return
    const { provider } = connection.choice
    const timer = setInterval(async () => {
      const receipt = await provider
        .request({ method: 'eth_getTransactionReceipt', params: [state.transaction] })
        .catch(() => null)
      if (isReverted(receipt)) setState({ phase: 'failed', why: reverted })
    }, receiptEveryMs)
    return () => clearInterval(timer)
  }, [state, connection])

  const isShown = state.phase === 'mining' && allowance !== undefined && allowance !== state.allowanceBefore
  useEffect(() => {
    if (isShown) setState({ phase: 'idle' })
  }, [isShown])

  const stop = (): void => {
    attempt.current += 1
    setState({ phase: 'idle' })
  }

  return { state, approve, stop }
}

const isReverted = (receipt: unknown): boolean =>
  typeof receipt === 'object' && receipt !== null && 'status' in receipt && receipt.status === '0x0'
