import { useTitle } from '../browser/useTitle.ts'

/** Shown instead of a page that failed to render. */
export const BrokenPage = () => {
  useTitle('Something went wrong')
  return (
    <div class="page narrow">
      <h1>Something went wrong</h1>
      <div class="notice error" role="alert">
        <p>This page cannot be displayed because of an error. Your orders are not affected.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  )
}
