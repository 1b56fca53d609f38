import { useTitle } from '../browser/useTitle.ts'

/** Shown instead of a page that failed to render. */
export const BrokenPage = () => {
  useTitle('Not shown')
  return (
    <div class="page">
      <h1>Not shown</h1>
      <div class="notice error" role="alert">
        <p>This page cannot be shown: something in it failed.</p>
        <button type="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    </div>
  )
}
