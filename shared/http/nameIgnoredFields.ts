import { z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'

/** Maximum names in the header, and characters of each: clients choose them, and headers are bounded. */
const maxNames = 20
const maxNameLength = 40

export const ignoredFieldsHeader = 'X-Ignored-Fields'

/** Value of the header. */
export const listIgnored = (names: readonly string[]): string => names.slice(0, maxNames).map(toSafeName).join(', ')

/** Known names; undefined: any name counts as known. */
export type KnownFields = { body: ReadonlySet<string> | undefined; query: ReadonlySet<string> | undefined }

/**
 * Lists unknown query parameters and unknown fields of a JSON body in `X-Ignored-Fields`. They are accepted, so that
 * clients of other versions work, and the header exposes misspelt names.
 */
export const nameIgnoredFields =
  ({ body, query }: KnownFields): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const names = [
      ...(query ? Object.keys(c.req.query()).filter((name) => !query.has(name)) : []),
      ...(body ? (await findFields(c)).filter((name) => !body.has(name)) : []),
    ]
    if (names.length > 0) c.header(ignoredFieldsHeader, listIgnored(names))
  }

/** Top-level fields of a JSON body that the route has already read. */
const findFields = async (c: Context): Promise<string[]> => {
  if (!('text' in c.req.bodyCache)) return []
  const body: unknown = await c.req.json().catch(() => undefined)
  return typeof body !== 'object' || body === null || Array.isArray(body) ? [] : Object.keys(body)
}

const toSafeName = (name: string): string => name.slice(0, maxNameLength).replace(/[^\w.-]/g, '_')

/** The top-level fields of a schema; undefined when it accepts any field, or is not an object. */
export const findKnownFields = (schema: unknown): ReadonlySet<string> | undefined => {
  if (schema instanceof z.ZodObject) return schema.def.catchall ? undefined : new Set(Object.keys(schema.shape))
  if (schema instanceof z.ZodPipe) {
    return findKnownFields(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in)
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return findKnownFields(schema.def.innerType)
  }
  if (schema instanceof z.ZodUnion) return unite(schema.options.map(findKnownFields))
  if (schema instanceof z.ZodIntersection) return unite([schema.def.left, schema.def.right].map(findKnownFields))
  return undefined
}

const unite = (sets: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined => {
  const known = new Set<string>()
  for (const set of sets) {
    if (!set) return undefined
    for (const name of set) known.add(name)
  }
  return known
}
