import { z } from '@hono/zod-openapi'
import { type ErrorType, errorCatalogue } from './errorCatalogue.ts'
import { byStatus, dataSchema, textSchema } from './errorResponses.ts'

const messageSchema = z.object({ message: textSchema, data: dataSchema }).openapi('Message')

/**
 * The `responses` of an auxiliary route for its errors, by status (see `auxiliaryFormat`).
 * @param own descriptions for this route, where the catalogue's are too general
 */
export const messageResponses = <Type extends ErrorType>(types: Type[], own: { [type in Type]?: string } = {}) =>
  byStatus(types, (ofStatus) => ({
    description: ofStatus.map((type) => own[type] ?? errorCatalogue[type].description).join('; '),
    content: { 'application/json': { schema: messageSchema } },
  }))
