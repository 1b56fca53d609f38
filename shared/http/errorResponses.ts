import { z } from '@hono/zod-openapi'
import { type ErrorType, errorCatalogue } from './errors.ts'

const errorSchema = z
  .object({
    errorType: z.string(),
    description: z.string(),
    data: z.record(z.string(), z.unknown()).optional().openapi({ description: 'what failed, in numbers' }),
  })
  .openapi('Error')

type ErrorResponse = { description: string; content: { 'application/json': { schema: typeof errorSchema } } }
type StatusOf<Type extends ErrorType> = (typeof errorCatalogue)[Type]['status']

/** The `responses` of a route for the errors it can answer with, gathered by status. */
export const errorResponses = <Type extends ErrorType>(...types: Type[]) => {
  const responses: Record<number, ErrorResponse> = {}
  for (const type of types) {
    const { status, description } = errorCatalogue[type]
    const earlier = responses[status]?.description
    responses[status] = {
      description: `${earlier ? `${earlier}\n` : ''}- \`${type}\`: ${description}`,
      content: { 'application/json': { schema: errorSchema } },
    }
  }
  return responses as { [Status in StatusOf<Type>]: ErrorResponse }
}
