import type { z } from 'zod'
import { buildOnce } from '../buildOnce.ts'

/**
 * JSON content of a response. Its schema is built with the OpenAPI document, which alone reads it: schemas took a third of a
 * Worker's start-up.
 */
export const buildJsonContent = <Schema extends z.ZodType>(build: () => Schema): { schema: Schema } => {
  const find = buildOnce(build)
  return {
    get schema() {
      return find()
    },
  }
}
