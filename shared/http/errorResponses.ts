import { z } from '@hono/zod-openapi'
import { type ErrorType, errorCatalogue } from './errorCatalogue.ts'

export const errorSchema = z
  .object({
    errorType: z.string(),
    description: z.string().openapi({ description: 'human-readable; may change' }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: 'machine-readable details: fields, limits, values' }),
  })
  .openapi('Error')

type ErrorBody = z.ZodType<z.output<typeof errorSchema>>
type ErrorResponse = { description: string; content: { 'application/json': { schema: ErrorBody } } }
type StatusOf<Type extends ErrorType> = (typeof errorCatalogue)[Type]['status']

/** The `responses` of a route for its errors, grouped by status; each lists its error types. */
export const errorResponses = <Type extends ErrorType>(...types: Type[]) => {
  const responses: Record<number, ErrorResponse> = {}
  for (const status of new Set(types.map((type) => errorCatalogue[type].status))) {
    const ofStatus = types.filter((type) => errorCatalogue[type].status === status)
    responses[status] = {
      description: ofStatus.map((type) => `- \`${type}\`: ${errorCatalogue[type].description}`).join('\n'),
      content: {
        'application/json': {
          // hundreds of schemas that only the OpenAPI document reads: built with it, they are not part of each start-up
          get schema() {
            return errorSchema.extend({ errorType: z.enum(ofStatus) })
          },
        },
      },
    }
  }
  return responses as { [Status in StatusOf<Type>]: ErrorResponse }
}
