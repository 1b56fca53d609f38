import { useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useOnChange } from '../ui/useOnChange.ts'
import type { Connection } from '../wallet/connection/openConnection.ts'
import { encodeApproval } from './approval.ts'
import { type TransactionState, useTransaction } from './useTransaction.ts'

export type ApprovalState =
  | TransactionState
  /** included; the balances do not show it yet */
  | { phase: 'included' }

type Facts = {
  token: string
  /** of the connected account, atoms; undefined: unknown */
  allowance: bigint | undefined
  /** the token changes an approval above 0 only after one of 0 */
  isReset?: boolean
}

/** Approves the vault relayer by transactions of the wallet and waits until the balances show it. */
export const useApproval = (
  network: Network,
  connection: Connection | null,
  { token, allowance, isReset = false }: Facts,
) => {
  const { state, send, stop: abandon } = useTransaction(connection)
  /** the allowance before the approval that is on its way */
  const [before, setBefore] = useState<{ allowance: bigint | undefined } | null>(null)

  const stop = (): void => {
    setBefore(null)
    abandon()
  }

  // the state belongs to one account and token
  useOnChange(() => stop(), [connection?.address, token])

  const approve = async (amount: bigint): Promise<void> => {
    setBefore({ allowance })
    for (const value of isReset ? [0n, amount] : [amount]) {
      if (!(await send({ to: token, data: encodeApproval(network.vaultRelayer, value) }))) return setBefore(null)
    }
  }

  const isShown = before !== null && allowance !== undefined && allowance !== 0n && allowance !== before.allowance
  useOnChange(() => {
    if (isShown) stop()
  }, [isShown])

  const shown: ApprovalState = before !== null && state.phase === 'idle' ? { phase: 'included' } : state
  return { state: shown, approve, stop }
}
