import type { Mutation } from './mutation.ts'

/** The source with the change applied. */
export const applyMutation = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)
