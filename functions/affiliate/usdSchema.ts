import { z } from '@hono/zod-openapi'

/** An amount of US dollars. */
export const usdSchema = (description: string) => z.number().openapi({ description: `US dollars: ${description}` })
