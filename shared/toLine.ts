/**
 * Text of a third party (a contract, a solver, a node) as one line: without control and invisible characters, well-formed
 * and cut to `maxLength` characters. It may be empty. It is not escaped.
 */
export const toLine = (text: string, maxLength: number): string => {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.slice(0, maxLength).toWellFormed()
}
