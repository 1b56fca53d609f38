/**
 * A parser of JSON that keeps the ids under one key exact: a number from 2⁵³ becomes a bigint, because a JavaScript
 * number would round it. Texts without one take the fast path; schemas check ids in any other form.
 */
const createParser = (key: string) => {
  const largeId = new RegExp(`"${key}"\\s*:\\s*\\d{16}`)
  /** @param context source text of the number: https://tc39.es/proposal-json-parse-with-source */
  const readLargeId = (name: string, value: unknown, context?: { source?: string }): unknown => {
    if (name !== key || typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const source = context?.source
    return source !== undefined && /^\d{16,20}$/.test(source) ? BigInt(source) : value
  }
  return (text: string): unknown => (largeId.test(text) ? JSON.parse(text, readLargeId) : JSON.parse(text))
}

/** Parses the JSON of a driver, exact in `solutionId`. @throws SyntaxError when it is not JSON */
export const parseDriverJson = createParser('solutionId')

/** Parses the JSON of a solver engine, exact in `id`. @throws SyntaxError when it is not JSON */
export const parseEngineJson = createParser('id')
