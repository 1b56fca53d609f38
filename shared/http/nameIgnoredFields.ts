import { z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'

/** Names in one header, and characters of each: the client sent them, and headers are bounded. */
const maxNames = 20
const maxNameLength = 40

/**
 * Names the fields of a JSON body that its schema does not know in `X-Ignored-Fields`: they are accepted, so that clients of other
 * versions work, and a client that misspells a field sees it.
 */
export const nameIgnoredFields =
  (known: ReadonlySet<string>): MiddlewareHandler =>
  async (c, next) => {
    await next()
    // no other body than one that the route has read
    if (!('text' in c.req.bodyCache)) return
    const body: unknown = await c.req.json().catch(() => undefined)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return
    const ignored = Object.keys(body).filter((name) => !known.has(name))
    if (ignored.length > 0) c.res.headers.set('X-Ignored-Fields', ignored.slice(0, maxNames).map(toSafeName).join(', '))
  }

const toSafeName = (name: string): string => name.slice(0, maxNameLength).replace(/[^\w.-]/g, '_')

/** The top-level fields that a schema knows; undefined when it takes any, or no object. */
export const findKnownFields = (schema: unknown): ReadonlySet<string> | undefined => {
  if (schema instanceof z.ZodObject) return schema.def.catchall ? undefined : new Set(Object.keys(schema.shape))
  if (schema instanceof z.ZodPipe) return findKnownFields(schema.def.in)
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
