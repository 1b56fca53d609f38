import { z } from '@hono/zod-openapi'
import { type ErrorType, errorCatalogue } from './errorCatalogue.ts'

/** The members of an error of every format that describe it to people, and to programs. */
export const textSchema = z.string().openapi({ description: 'human-readable; may change' })
export const dataSchema = z
  .record(z.string(), z.unknown())
  .optional()
  .openapi({ description: 'machine-readable details: fields, limits, values' })

export const errorSchema = z
  .object({ errorType: z.string(), description: textSchema, data: dataSchema })
  .openapi('Error')

type ErrorBody = z.ZodType<z.output<typeof errorSchema>>
type ErrorResponse = { description: string; content: { 'application/json': { schema: ErrorBody } } }
type StatusOf<Type extends ErrorType> = (typeof errorCatalogue)[Type]['status']

/** Responses by the status of the errors. */
export const byStatus = <Type extends ErrorType, Response>(types: Type[], build: (ofStatus: Type[]) => Response) =>
  Object.fromEntries(
    [...Map.groupBy(types, (type) => errorCatalogue[type].status)].map(([status, ofStatus]) => [
      status,
      build(ofStatus),
    ]),
  ) as { [Status in StatusOf<Type>]: Response }

/** The `responses` of a route for its errors, grouped by status; each lists its error types. */
export const errorResponses = <Type extends ErrorType>(...types: Type[]) =>
  byStatus(
    types,
    (ofStatus): ErrorResponse => ({
      description: ofStatus.map((type) => `- \`${type}\`: ${errorCatalogue[type].description}`).join('\n'),
      content: {
        'application/json': {
          // hundreds of schemas that only the OpenAPI document reads: built with it, they are not part of each start-up
          get schema() {
            return errorSchema.extend({ errorType: z.enum(ofStatus) })
          },
        },
      },
    }),
  )
