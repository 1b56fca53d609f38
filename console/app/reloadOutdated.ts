/** Milliseconds; what cannot be loaded right after the page was is not there for another reason, and would not be afterwards. */
const minAgeMs = 10_000

/**
 * Loads the whole page again when a part of it is gone: a new version has been deployed since, with files of other names, and
 * `index.html` names them. The address stays, so it is the page that was asked for.
 */
export const reloadOutdated = (): void => {
  addEventListener('vite:preloadError', (event) => {
    if (performance.now() < minAgeMs) return
    event.preventDefault()
    location.reload()
  })
}
