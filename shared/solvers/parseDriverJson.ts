/** A number that may be too large for JavaScript; an id that is written in any other way is left to the schema. */
const largeId = /"solutionId"\s*:\s*\d{16}/

/**
 * Parses the JSON of a driver. A `solutionId` that comes as a number from 2⁵³ on becomes a bigint, since a JavaScript number would
 * be another id. Texts without one take the fast path.
 * @throws SyntaxError when it is not JSON
 */
export const parseDriverJson = (text: string): unknown =>
  largeId.test(text) ? JSON.parse(text, keepLargeId) : JSON.parse(text)

/** @param context the number as it is written: https://tc39.es/proposal-json-parse-with-source */
const keepLargeId = (key: string, value: unknown, context?: { source?: string }): unknown => {
  if (key !== 'solutionId' || typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^\d{16,20}$/.test(source) ? BigInt(source) : value
}
