import { useState } from 'preact/hooks'
import { type ApprovalSize, computeApproval } from '../../actions/approval.ts'
import type { ApprovalState, useApproval } from '../../actions/useApproval.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { HexText } from '../../ui/HexText.tsx'
import type { Draft } from '../draft/draft.ts'
import { ApprovalSizeField } from './ApprovalSizeField.tsx'

type Props = {
  network: Network
  draft: Draft
  /** sell token atoms */
  needed: bigint
  approval: ReturnType<typeof useApproval>
  /** the token changes an approval above 0 only after one of 0 */
  isReset: boolean
  keepFocus: () => void
}

/** Approves the vault relayer for the sell token: exactly the amount or without limit, as the owner chooses. */
export const ApproveStep = ({ network, draft, needed, approval, isReset, keepFocus }: Props) => {
  const { state, approve, stop } = approval
  const [size, setSize] = useState<ApprovalSize>('trade')
  const { kind, sell } = draft
  const symbol = sell?.symbol ?? 'the sell token'
  const send = () => {
    keepFocus()
    void approve(computeApproval(size, kind, needed))
  }
  const isBusy = state.phase !== 'idle' && state.phase !== 'failed'
  return (
    <div class="approve-step">
      <p>
        Allow the vault relayer to spend your {symbol}. It moves tokens only for orders that you signed.{' '}
        <HexText value={network.vaultRelayer} label="address of the vault relayer" />
      </p>
      <ApprovalSizeField draft={draft} needed={needed} size={size} onChoose={setSize} isDisabled={isBusy} />
      <ErrorNotice text={state.phase === 'failed' && state.why} />
      {isBusy ? (
        <Progress network={network} state={state} stop={stop} />
      ) : (
        <>
          <button type="button" class="primary wide" onClick={send}>
            Approve {symbol}
          </button>
          <p class="fine">
            {isReset
              ? `Two transactions that cost gas: ${symbol} changes an approval only after one of 0. You sign the order after them.`
              : 'A transaction that costs gas. You sign the order after it.'}
          </p>
        </>
      )}
    </div>
  )
}

type ProgressProps = { network: Network; state: ApprovalState; stop: () => void }

const Progress = ({ network: { explorerUrl }, state, stop }: ProgressProps) => (
  <div class="wallet-wait">
    <button type="button" class="primary wide" disabled>
      {state.phase === 'confirming' ? 'Confirm in your wallet …' : 'Waiting for confirmation …'}
    </button>
    <p role="status">
      {state.phase === 'mining' ? (
        <>
          Approval sent:{' '}
          <HexText
            value={state.transaction}
            label="transaction"
            href={explorerUrl ? `${explorerUrl}/tx/${state.transaction}` : undefined}
          />
          . You can sign the order once it is confirmed.
        </>
      ) : state.phase === 'included' ? (
        'Approved. Waiting for your balances to show it.'
      ) : (
        'Confirm the approval in your wallet.'
      )}
    </p>
    <button type="button" onClick={stop}>
      Stop waiting
    </button>
  </div>
)
