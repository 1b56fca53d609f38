import { z } from '@hono/zod-openapi'
import { type ErrorType, errorCatalogue } from './errorCatalogue.ts'

const messageSchema = z
  .object({
    message: z.string().openapi({ description: 'human-readable; may change' }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: 'machine-readable details: fields, limits, values' }),
  })
  .openapi('Message')

type MessageResponse = { description: string; content: { 'application/json': { schema: typeof messageSchema } } }
type StatusOf<Type extends ErrorType> = (typeof errorCatalogue)[Type]['status']

/**
 * The `responses` of an auxiliary route for its errors, by status (see `auxiliaryFormat`).
 * @param own descriptions for this route, where the catalogue's are too general
 */
export const messageResponses = <Type extends ErrorType>(types: Type[], own: { [type in Type]?: string } = {}) => {
  const responses: Record<number, MessageResponse> = {}
  for (const status of new Set(types.map((type) => errorCatalogue[type].status))) {
    const ofStatus = types.filter((type) => errorCatalogue[type].status === status)
    const description = ofStatus.map((type) => own[type] ?? errorCatalogue[type].description).join('; ')
    responses[status] = { description, content: { 'application/json': { schema: messageSchema } } }
  }
  return responses as { [Status in StatusOf<Type>]: MessageResponse }
}
