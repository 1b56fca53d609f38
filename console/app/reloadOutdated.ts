/** Milliseconds; a load failure within this time of the last reload has another cause. */
const minAgeMs = 10_000

/**
 * Reloads the page when one of its files is missing: a new version was deployed, with other file names in `index.html`.
 * The address stays the same.
 */
export const reloadOutdated = (): void => {
  addEventListener('vite:preloadError', (event) => {
    if (performance.now() < minAgeMs) return
    event.preventDefault()
    location.reload()
  })
}
