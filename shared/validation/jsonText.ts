import { z } from 'zod'

/** A setting that is JSON text; what it means is for a `pipe` to check. */
export const jsonTextSchema = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'not valid JSON' })
    return z.NEVER
  }
})
