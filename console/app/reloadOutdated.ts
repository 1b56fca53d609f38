import { isReachable } from '../browser/isReachable.ts'

/** Milliseconds; a load failure within this time of the last reload has another cause. */
const minAgeMs = 10_000

/**
 * Reloads the page when one of its files is missing: a new version was deployed, with other file names in `index.html`.
 * The address stays the same. Without a connection the page stays, because a reload would replace it by the browser's
 * error page.
 */
export const reloadOutdated = (): void => {
  addEventListener('vite:preloadError', async () => {
    if (performance.now() < minAgeMs) return
    if (await isReachable()) location.reload()
  })
}
