import type { Network } from '#shared/networks.ts'

const minPollMs = 1_000
/** Pings go out with the polls, and have to come within 20 seconds. */
export const maxPollMs = 5_000

/** How often a watch looks for a new block: twice in the time between two of them, within bounds. Milliseconds. */
export const computePollMs = ({ blockTimeSeconds }: Pick<Network, 'blockTimeSeconds'>): number =>
  Math.min(Math.max(500 * blockTimeSeconds, minPollMs), maxPollMs)
