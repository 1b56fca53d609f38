/** In the place of zod's writer of JSON Schema: the OpenAPI document has another one. */
const refuse = (): never => {
  throw new Error('the Workers are built without toJSONSchema')
}

const createRefusal = () => refuse

export {
  createRefusal as createStandardJSONSchemaMethod,
  createRefusal as createToJSONSchemaMethod,
  refuse as extractDefs,
  refuse as finalize,
  refuse as handleUnrepresentable,
  refuse as initializeContext,
  refuse as process,
  refuse as processSchema,
}
