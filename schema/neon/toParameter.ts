/**
 * A parameter of a statement as Postgres' text. Arrays become array literals, times UTC, other objects JSON.
 * @returns null for SQL's null
 */
export const toParameter = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return toArrayLiteral(value)
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value)) throw new TypeError('bytes are passed as text: \\x…')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const toArrayLiteral = (values: readonly unknown[]): string => `{${values.map(toElement).join(',')}}`

const toElement = (value: unknown): string => {
  if (Array.isArray(value)) return toArrayLiteral(value)
  const text = toParameter(value)
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
