import { z } from 'zod'
import { addressSchema } from './address.ts'

/** A setting that lists addresses, separated by commas or blanks; may be empty. */
export const addressListSchema = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .pipe(z.array(addressSchema))
