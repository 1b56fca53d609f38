import type { ProgressLabel } from '#schema/queries/events/progressEvents.ts'

export const progressTypes = ['open', 'scheduled', 'active', 'solved', 'executing', 'traded', 'cancelled'] as const
export type ProgressType = (typeof progressTypes)[number]

const typeOfLabel: Record<ProgressLabel, ProgressType> = {
  created: 'scheduled',
  ready: 'active',
  filtered: 'open',
  invalid: 'open',
  considered: 'solved',
  executing: 'executing',
  traded: 'traded',
  cancelled: 'cancelled',
}

/** Where an order is on its way: what its newest event says, unless it has a trade. */
export const computeProgressType = (newestEvent: ProgressLabel, traded: boolean): ProgressType =>
  traded ? 'traded' : typeOfLabel[newestEvent]
