import { Failure } from '../ui/Failure.tsx'
import type { SignedState } from './useSignedRequest.ts'

/** State of a signed request: the signature or response that it waits for, or the reason of its failure. */
export const SignedRequestState = ({ state }: { state: SignedState }) => (
  <div role="status">
    {state.phase === 'signing' && <p class="muted">Confirm in your wallet …</p>}
    {state.phase === 'sending' && <p class="muted">Sending …</p>}
    {state.phase === 'stopped' && <p class="notice warning">{state.why}</p>}
    {state.phase === 'refused' && <Failure failure={state.failure} />}
  </div>
)
