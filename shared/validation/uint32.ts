import { z } from '@hono/zod-openapi'

/** A number of seconds, or a Unix time in seconds, as a uint32. */
export const uint32Schema = z
  .number({ error: 'an integer from 0 to 4294967295' })
  .int('an integer from 0 to 4294967295')
  .min(0, 'an integer from 0 to 4294967295')
  .max(0xffffffff, 'an integer from 0 to 4294967295')
