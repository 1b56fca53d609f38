/** Fields of a Postgres error beside its message. */
export const errorFields = [
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const

/** Postgres refused a statement. Has the `errorFields` of Postgres, `code` is the SQLSTATE. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  declare readonly code: string | undefined
  declare readonly constraint: string | undefined

  constructor({ message, ...fields }: Readonly<Record<string, unknown>>) {
    super(String(message))
    for (const field of errorFields) Object.assign(this, { [field]: fields[field] ?? undefined })
  }
}
