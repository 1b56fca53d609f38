import { z } from 'zod'
import { addressSchema } from './chainValues.ts'

/** A setting in JSON; `pipe` it to a schema of its value. */
export const jsonTextSchema = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'not valid JSON' })
    return z.NEVER
  }
})

/** A setting that lists addresses, separated by commas or blanks; may be empty. */
export const addressListSchema = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .pipe(z.array(addressSchema))

/** A setting that is `true` or `false`. */
export const switchSchema = z.enum(['true', 'false']).transform((text) => text === 'true')
