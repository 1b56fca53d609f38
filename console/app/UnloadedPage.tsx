import { useTitle } from '../browser/useTitle.ts'

/** Shown instead of a page whose file failed to load. */
export const UnloadedPage = () => {
  useTitle('Something went wrong')
  return (
    <div class="page narrow">
      <h1>Something went wrong</h1>
      <div class="notice error" role="alert">
        <p>This page could not be loaded: the service is unreachable or was just updated.</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </div>
  )
}
