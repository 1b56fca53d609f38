import type { TransactionState } from '../actions/useTransaction.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'

type Props = {
  label: string
  state: TransactionState
  send: () => void
  stop: () => void
  /** classes of the button */
  style?: string
  /** effect and cost of the transaction */
  note?: string
}

/** Sends a transaction, and says where it is and why it failed. */
export const TransactionButton = ({ label, state, send, stop, note, style = 'outlined' }: Props) => {
  const isBusy = state.phase === 'confirming' || state.phase === 'mining'
  return (
    <>
      <p class="row-facts">
        <button type="button" class={style} disabled={isBusy} onClick={send}>
          {state.phase === 'confirming' && 'Confirm in your wallet …'}
          {state.phase === 'mining' && 'Waiting for confirmation …'}
          {!isBusy && label}
        </button>
        {isBusy && (
          <button type="button" onClick={stop}>
            Stop waiting
          </button>
        )}
      </p>
      {note !== undefined && <p class="fine">{note}</p>}
      <ErrorNotice text={state.phase === 'failed' && state.why} />
    </>
  )
}
