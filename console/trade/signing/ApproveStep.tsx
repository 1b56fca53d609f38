import { useId, useState } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { HexText } from '../../ui/HexText.tsx'
import type { Draft } from '../draft/draft.ts'
import { type ApprovalSize, computeApproval } from '../funds/approval.ts'
import type { ApprovalState, useApproval } from '../funds/useApproval.ts'
import { describeAmount } from './describeOrder.ts'

type Props = {
  network: Network
  draft: Draft
  /** sell token atoms */
  needed: bigint
  approval: ReturnType<typeof useApproval>
  keepFocus: () => void
}

/** Approves the vault relayer for the sell token: exactly the amount or without limit, as the owner chooses. */
export const ApproveStep = ({ network, draft, needed, approval: { state, approve, stop }, keepFocus }: Props) => {
  const [size, setSize] = useState<ApprovalSize>('trade')
  const name = useId()
  const { kind, sell } = draft
  const symbol = sell?.symbol ?? 'the sell token'
  const send = () => {
    keepFocus()
    void approve(computeApproval(size, kind, needed))
  }
  const isBusy = state.phase === 'confirming' || state.phase === 'mining'
  const choices: Record<ApprovalSize, string> = {
    trade: `${describeAmount(sell, computeApproval('trade', kind, needed))}, for this trade`,
    unlimited: `Unlimited: later trades of ${symbol} need no approval`,
  }
  return (
    <div class="approve-step">
      <p>
        Before your first trade of {symbol} the vault relayer has to be allowed to take it from your account, which it
        does only to fill orders that you signed. It is part of the settlement contract:{' '}
        <HexText value={network.vaultRelayer} label="address of the vault relayer" />
      </p>
      <fieldset class="choices">
        <legend>How much it may take</legend>
        {Object.entries(choices).map(([value, label]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name={name}
              checked={size === value}
              disabled={isBusy}
              onChange={() => setSize(value as ApprovalSize)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {state.phase === 'failed' && (
        <p class="notice error" role="alert">
          {state.why}
        </p>
      )}
      {isBusy ? (
        <Progress network={network} state={state} stop={stop} />
      ) : (
        <>
          <button type="button" class="primary wide" onClick={send}>
            Approve {symbol}
          </button>
          <p class="fine">This is a transaction of your wallet, which costs gas. After it you sign the order.</p>
        </>
      )}
    </div>
  )
}

type ProgressProps = { network: Network; state: ApprovalState; stop: () => void }

const Progress = ({ network: { explorerUrl }, state, stop }: ProgressProps) => (
  <div class="waiting">
    <button type="button" class="primary wide" disabled>
      {state.phase === 'mining' ? 'Waiting for the chain …' : 'Confirm in your wallet …'}
    </button>
    <p role="status">
      {state.phase === 'mining' ? (
        <>
          The approval is sent, transaction{' '}
          <HexText
            value={state.transaction}
            label="transaction"
            href={explorerUrl ? `${explorerUrl}/tx/${state.transaction}` : undefined}
          />
          . As soon as the chain has it you can sign the order.
        </>
      ) : (
        'Your wallet asks you to send the approval.'
      )}
    </p>
    <button type="button" onClick={stop}>
      Stop waiting
    </button>
  </div>
)
