import type { Hex } from 'viem'
import { z } from 'zod'

/** Bytes as nodes write them. */
export const hexSchema = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value))
/** A number as nodes write it. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(BigInt)
