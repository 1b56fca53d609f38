import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { describeAction } from '../signing/describeOrder.ts'
import type { PostingState, useOrderPosting } from '../signing/useOrderPosting.ts'

/** Reason for which the order is not placed; nothing without a failure. */
export const PostingOutcome = ({
  state,
  send,
}: {
  state: PostingState
  send: ReturnType<typeof useOrderPosting>['send']
}) => {
  if (state.phase === 'unsigned') return <ErrorNotice text={state.why} />
  if (state.phase === 'refused') return <Failure failure={state.failure} />
  if (state.phase !== 'unsent') return null
  return (
    <>
      <Failure failure={state.failure} />
      <p>
        {describeAction(state.order.terms.draft)}: the order is signed.{' '}
        {state.failure.facts.status === 429
          ? 'The order book was busy; send it again in a moment.'
          : 'It is unknown whether it arrived; send it again.'}{' '}
        It cannot be placed twice.
      </p>
      <button type="button" class="primary" onClick={() => send(state.order)}>
        Send the signed order again
      </button>
    </>
  )
}
