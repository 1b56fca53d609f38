import { z } from 'zod'

/** A setting in JSON; `pipe` it to a schema of its value. */
export const jsonTextSchema = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'not valid JSON' })
    return z.NEVER
  }
})
