import { Column, type DriverValueDecoder, getTableName, is, SQL, Subquery } from 'drizzle-orm'

/** A selected column or expression, and where its value belongs in a row: `['order', 'uid']`. */
export type SelectedField = { path: string[]; field: unknown }

/**
 * Tables of a statement by name: true when each row has them, false when they are left-joined; undefined: all are true.
 */
type InnerTables = Readonly<Record<string, boolean>> | undefined

/** undefined: the value stays as it is */
type Read = ((value: unknown) => unknown) | undefined

/** The fields of one object of a row, or those of the row itself. */
type Group = {
  /** undefined: the fields belong to the row itself */
  name: string | undefined
  keys: string[]
  readers: Read[]
  /** position of its first column */
  start: number
  /** left-joined: null when its first column is null */
  isOptional: boolean
  /** all keys, with null */
  template: Record<string, unknown>
}

/**
 * A reader of the rows of one statement, equal to drizzle's `mapResultRow`. Which decoder reads a column and where its
 * value belongs is found once for the statement instead of once for each value.
 */
export const buildRowReader = (fields: readonly SelectedField[], inner: InnerTables) => {
  const groups = toGroups(fields, inner)
  return (rows: readonly unknown[][]) => rows.map((row) => readRow(groups, row))
}

const readRow = (groups: readonly Group[], row: readonly unknown[]) => {
  const result: Record<string, unknown> = {}
  for (const { name, keys, readers, start, isOptional, template } of groups) {
    if (name !== undefined && isOptional && row[start] === null) {
      result[name] = null
      continue
    }
    const node = name === undefined ? result : { ...template }
    if (name !== undefined) result[name] = node
    for (let i = 0; i < keys.length; i++) {
      const value = row[start + i]
      const read = readers[i]
      node[keys[i] as string] = read && value !== null ? read(value) : value
    }
  }
  return result
}

const toGroups = (fields: readonly SelectedField[], inner: InnerTables): Group[] => {
  const groups: Group[] = []
  for (const [i, { path, field }] of fields.entries()) {
    const name = path.length > 1 ? path[0] : undefined
    const key = path.at(-1)
    if (key === undefined || path.length > 2) throw new Error(`no column is selected as ${path.join('.')}`)
    let group = groups.at(-1)
    if (!group || group.name !== name) {
      group = { name, keys: [], readers: [], start: i, isOptional: false, template: {} }
      groups.push(group)
    }
    group.keys.push(key)
    group.readers.push(toReader(findDecoder(field)))
  }
  for (const group of groups) {
    const { keys, start } = group
    group.isOptional = isOptional(fields.slice(start, start + keys.length), inner)
    // parsed, an object of many keys is copied at once; built key by key it would be a hash table
    group.template = JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null]))))
  }
  return groups
}

const toReader = (decoder: DriverValueDecoder<unknown, unknown>): Read =>
  decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue
    ? undefined
    : (value) => decoder.mapFromDriverValue(value)

/** Whether fields are columns of one left-joined table. */
const isOptional = (fields: readonly SelectedField[], inner: InnerTables): boolean => {
  const tables = fields.map(({ field }) => (is(field, Column) ? getTableName(field.table) : undefined))
  const [table] = tables
  return table !== undefined && inner?.[table] === false && tables.every((other) => other === table)
}

const findDecoder = (field: unknown): DriverValueDecoder<unknown, unknown> => {
  if (is(field, Column)) return field
  if (is(field, SQL)) return (field as unknown as { decoder: DriverValueDecoder<unknown, unknown> }).decoder
  if (is(field, Subquery)) return findDecoder(field._.sql)
  return findDecoder((field as SQL.Aliased).sql)
}
