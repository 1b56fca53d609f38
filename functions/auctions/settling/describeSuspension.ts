import type { ActiveSuspension } from './computeStandings.ts'

const causes = {
  timeout: 'wins were not settled by their deadlines',
  mismatch: 'a settlement paid less than promised',
  reverted: 'settlements failed',
} as const

/** Why a solver is suspended, and until when. */
export const describeSuspension = ({ reason, until }: ActiveSuspension): string =>
  `suspended until ${new Date(until).toISOString()}: ${causes[reason]}`
