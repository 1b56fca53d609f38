/** Milliseconds. */
const limitMs = 5_000

/** Whether the service responds, so that the page can be loaded again. */
export const isReachable = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(limitMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
