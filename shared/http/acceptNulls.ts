import { z } from 'zod'

type Clean = (value: unknown) => unknown

/**
 * The schema, for which an explicit `null` in an optional field means that the field is absent, at any depth: clients
 * in many languages send their optional fields so.
 */
export const acceptNulls = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(findCleaner(schema) ?? ((value) => value), schema)

/** Removes the nulls of optional fields; undefined for a schema without optional fields. */
const findCleaner = (schema: unknown): Clean | undefined => {
  if (schema instanceof z.ZodObject) return buildObjectCleaner(schema.shape)
  if (schema instanceof z.ZodArray) return cleanEach(findCleaner(schema.element))
  if (schema instanceof z.ZodPipe) {
    return findCleaner(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in)
  }
  if (schema instanceof z.ZodUnion) return chain(schema.options.map(findCleaner))
  if (schema instanceof z.ZodIntersection) return chain([schema.def.left, schema.def.right].map(findCleaner))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return findCleaner(schema.def.innerType)
  }
  return undefined
}

const buildObjectCleaner = (shape: Readonly<Record<string, z.core.$ZodType>>): Clean | undefined => {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const isOptional = field._zod.optin !== undefined
    const clean = findCleaner(field)
    return isOptional || clean ? [{ name, isOptional, clean }] : []
  })
  if (fields.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const cleaned: Record<string, unknown> = { ...value }
    for (const { name, isOptional, clean } of fields) {
      if (!Object.hasOwn(cleaned, name)) continue
      if (isOptional && cleaned[name] === null) delete cleaned[name]
      else if (clean) cleaned[name] = clean(cleaned[name])
    }
    return cleaned
  }
}

const cleanEach = (clean: Clean | undefined): Clean | undefined =>
  clean && ((value) => (Array.isArray(value) ? value.map(clean) : value))

/** The members of a union share their optional fields, so one after the other may clean the value. */
const chain = (cleaners: readonly (Clean | undefined)[]): Clean | undefined => {
  const known = cleaners.filter((clean) => clean !== undefined)
  return known.length === 0 ? undefined : (value) => known.reduce((cleaned, clean) => clean(cleaned), value)
}
