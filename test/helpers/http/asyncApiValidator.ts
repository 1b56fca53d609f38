import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { tightenDocument } from './openApiValidator.ts'

type Reference = { $ref: string }

/** The part of an AsyncAPI 3 document needed to check messages. */
export type AsyncApiDocument = {
  channels: Record<string, { address: string; messages: Record<string, Reference> }>
  operations: Record<string, { action: 'send' | 'receive'; channel: Reference; messages: Reference[] }>
  components: {
    messages: Record<string, { payload: Reference }>
    schemas: Record<string, { [key: string]: unknown }>
  }
}

/**
 * Checks messages against an AsyncAPI document, without undocumented fields.
 * @param action `send`: messages of the service, `receive`: those of its clients
 * @returns the deviation in words; undefined without any
 * @throws Error when the document refers to something that it lacks
 */
export const createAsyncApiValidator = (document: AsyncApiDocument, action: 'send' | 'receive') => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(tightenDocument(document), 'asyncapi')
  const payloads = Object.values(document.operations)
    .filter((operation) => operation.action === action)
    .flatMap(({ messages }) => messages)
    .map(({ $ref }) => {
      const message = resolve(document, (resolve(document, $ref) as Reference).$ref)
      const { payload } = message as { payload: Reference }
      const validate = ajv.getSchema(`asyncapi${payload.$ref}`)
      if (!validate) throw new Error(`no schema at ${payload.$ref}`)
      return validate
    })
  return (message: unknown): string | undefined => {
    if (payloads.some((validate) => validate(message))) return undefined
    return `no message of /asyncapi.json: ${JSON.stringify(message).slice(0, 500)}`
  }
}

const resolve = (document: object, reference: string): unknown => {
  let found: unknown = document
  for (const part of reference.slice(2).split('/')) found = (found as Record<string, unknown> | undefined)?.[part]
  if (found === undefined) throw new Error(`the document lacks ${reference}`)
  return found
}
