import { z } from '@hono/zod-openapi'

/** One of some words, which the error lists. */
export const oneOf = <const Values extends [string, ...string[]]>(...values: Values) =>
  z.enum(values, { error: `one of ${values.join(', ')}` })
