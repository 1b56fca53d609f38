import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'

/** The OpenAPI 3.1 document of an app's routes, generated from the schemas that validate their requests. */
export const describeApp = (app: OpenAPIHono) =>
  describeNulls(app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } }))

const anySchema = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
  oneOf: z.array(z.unknown()).default([]),
  allOf: z.array(z.unknown()).default([]),
})
const bodySchema = z.object({
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }),
})

/** Optional fields of JSON bodies may be null (`acceptNulls`). */
const describeNulls = <Described extends { components?: unknown; paths?: object }>(document: Described): Described => {
  const schemas = z.object({ schemas: z.record(z.string(), z.unknown()) }).safeParse(document.components).data?.schemas
  const visited = new Set<unknown>()
  const visit = (schema: unknown): void => {
    const { success, data } = anySchema.safeParse(schema)
    if (!success || visited.has(schema)) return
    visited.add(schema)
    const { $ref, properties, required, items, anyOf, oneOf, allOf } = data
    if ($ref) visit(schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)])
    for (const part of [items, ...anyOf, ...oneOf, ...allOf, ...Object.values(properties ?? {})]) visit(part)
    const nullable = Object.entries(properties ?? {}).map(([name, field]) => [
      name,
      required.includes(name) ? field : toNullable(field),
    ])
    if (properties) Object.assign(schema as object, { properties: Object.fromEntries(nullable) })
  }
  for (const operation of Object.values(document.paths ?? {}).flatMap((item: object) => Object.values(item))) {
    const { data } = bodySchema.safeParse(operation)
    visit(data?.requestBody.content['application/json'].schema)
  }
  return document
}

const typeSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
})

/** The schema of a field with `null` among its values. */
const toNullable = (field: unknown): unknown => {
  const { type, enum: values, anyOf, $ref, ...others } = typeSchema.parse(field)
  if ($ref) return { anyOf: [field, { type: 'null' }] }
  if (anyOf) return { ...others, anyOf: [...anyOf, { type: 'null' }] }
  const types = [type ?? []].flat()
  if (types.length === 0 || types.includes('null')) return field
  return { ...others, type: [...types, 'null'], ...(values ? { enum: [...values, null] } : {}) }
}
