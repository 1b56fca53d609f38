/** An id that may exceed JavaScript's integers; the schema checks ids in any other form. */
const largeId = /"solutionId"\s*:\s*\d{16}/

/**
 * Parses the JSON of a driver. A `solutionId` number from 2⁵³ becomes a bigint, because a JavaScript number would round
 * it. Texts without one take the fast path.
 * @throws SyntaxError when it is not JSON
 */
export const parseDriverJson = (text: string): unknown =>
  largeId.test(text) ? JSON.parse(text, readLargeId) : JSON.parse(text)

/** @param context source text of the number: https://tc39.es/proposal-json-parse-with-source */
const readLargeId = (key: string, value: unknown, context?: { source?: string }): unknown => {
  if (key !== 'solutionId' || typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^\d{16,20}$/.test(source) ? BigInt(source) : value
}
