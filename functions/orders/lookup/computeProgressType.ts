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

/** Progress of an order: by its newest event, unless it has a trade. */
export const computeProgressType = (newestEvent: ProgressLabel, traded: boolean): ProgressType =>
  traded ? 'traded' : typeOfLabel[newestEvent]
