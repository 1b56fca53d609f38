import { useTitle } from '../browser/useTitle.ts'

/** Shown instead of a page whose file failed to load. */
export const UnloadedPage = () => {
  useTitle('Not loaded')
  return (
    <div class="page">
      <h1>Not loaded</h1>
      <div class="notice error" role="alert">
        <p>This page could not be loaded: the service cannot be reached, or has a new version.</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </div>
  )
}
