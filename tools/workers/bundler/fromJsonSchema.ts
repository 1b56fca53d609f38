/** In the place of zod's function: the Workers build no schema from JSON Schema. @throws Error */
export const fromJSONSchema = (): never => {
  throw new Error('the Workers are built without fromJSONSchema')
}
