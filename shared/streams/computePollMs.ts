import type { Network } from '#shared/networks.ts'

const minPollMs = 1_000
/** Bounded, because pings are sent with the polls and are due within 20 seconds. */
export const maxPollMs = 5_000

/** Interval at which a watch polls for a new block: half the block time, within bounds. Milliseconds. */
export const computePollMs = ({ blockTimeSeconds }: Pick<Network, 'blockTimeSeconds'>): number =>
  Math.min(Math.max(500 * blockTimeSeconds, minPollMs), maxPollMs)
