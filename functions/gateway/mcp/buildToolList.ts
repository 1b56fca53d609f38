import { z } from 'zod'
import { routes } from '#shared/api/routes.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { type McpTool, mcpTools } from './mcpTools.ts'

const jsonSchema = z.record(z.string(), z.unknown())
const referenceSchema = z.object({ $ref: z.string() })
const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: jsonSchema,
})
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: jsonSchema, parameters: jsonSchema.default({}) }),
})
const operationSchema = z.object({
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: jsonSchema }) }) }).optional(),
})

type InputSchema = JsonObject & { properties: JsonObject }

const prefix = '#/components/schemas/'

/**
 * `tools/list`: the input schema of each tool is what the OpenAPI document says about its route, which is generated from
 * the schemas that validate it.
 * @throws ZodError when the document lacks the route of a tool
 */
export const buildToolList = (document: unknown) => {
  const { paths, components } = documentSchema.parse(document)
  return Object.entries<McpTool>(mcpTools).map(([name, tool]) => {
    const { method, path } = routes[tool.route]
    const operation = operationSchema.parse(paths[path]?.[method])
    const parameters = operation.parameters.map((parameter) => parameterSchema.parse(resolve(parameter, components)))
    const body = operation.requestBody?.content['application/json'].schema
    const properties = {
      ...Object.fromEntries(parameters.map((parameter) => [parameter.name, toProperty(parameter)])),
      ...(body ? { body: tool.isPinned ? withReceiver(body) : body } : {}),
    }
    const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name)
    const input = {
      type: 'object',
      properties,
      required: body ? [...required, 'body'] : required,
      additionalProperties: false,
    }
    return {
      name,
      title: tool.title,
      description: tool.description,
      inputSchema: withDefinitions(input, components.schemas),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    }
  })
}

const resolve = (value: unknown, { parameters }: { parameters: Record<string, unknown> }): unknown => {
  const { data } = referenceSchema.safeParse(value)
  return data ? parameters[data.$ref.slice(data.$ref.lastIndexOf('/') + 1)] : value
}

const toProperty = ({ schema, description }: z.output<typeof parameterSchema>) =>
  description === undefined ? schema : { ...schema, description }

const withReceiver = (body: object) => ({
  allOf: [body, { type: 'object', properties: { receiver: { type: 'string' } }, required: ['receiver'] }],
})

/** A schema of its own: the named schemas that it uses are its `$defs`. */
const withDefinitions = (input: object, schemas: Record<string, unknown>): InputSchema => {
  const used = new Map<string, unknown>()
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) =>
        key === '$ref' && typeof inner === 'string' && inner.startsWith(prefix)
          ? [key, use(inner.slice(prefix.length))]
          : [key, rewrite(inner)],
      ),
    )
  }
  const use = (name: string): string => {
    if (!used.has(name)) {
      used.set(name, undefined)
      used.set(name, rewrite(schemas[name]))
    }
    return `#/$defs/${name}`
  }
  const rewritten = rewrite(input) as InputSchema
  return used.size === 0 ? rewritten : { ...rewritten, $defs: Object.fromEntries(used) as JsonObject }
}
