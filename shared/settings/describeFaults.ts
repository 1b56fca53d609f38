import type { z } from 'zod'

/** Describes malformed settings, one line each. */
export const describeFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
