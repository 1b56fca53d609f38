import { useState } from 'preact/hooks'
import { isReachable } from '../browser/isReachable.ts'
import { useTitle } from '../browser/useTitle.ts'

/** Shown instead of a page whose file failed to load. The page before it is still there, with what was typed. */
export const UnloadedPage = () => {
  useTitle('Something went wrong')
  const [state, setState] = useState<'idle' | 'trying' | 'failed'>('idle')
  const retry = async () => {
    setState('trying')
    // offline, a reload would replace the console by the browser's error page
    if (await isReachable()) location.reload()
    else setState('failed')
  }
  return (
    <div class="page narrow">
      <h1>Something went wrong</h1>
      <div class="notice error" role="alert">
        <p>This page could not be loaded: the service is unreachable or was just updated.</p>
        {state === 'failed' && <p>The service is still unreachable. Check your connection.</p>}
        <p class="actions">
          <button type="button" disabled={state === 'trying'} onClick={retry}>
            Try again
          </button>
          <button type="button" onClick={() => history.back()}>
            Back
          </button>
        </p>
      </div>
    </div>
  )
}
