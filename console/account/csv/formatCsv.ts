/** A spreadsheet runs a cell that begins like this as a formula. */
const startsFormula = /^[=+\-@\t\r]/
const isNumber = /^-?\d+(\.\d+)?$/

/**
 * One row of a CSV file (RFC 4180) with its line end. A text that a spreadsheet would run as a formula gets an
 * apostrophe before it; numbers stay as they are.
 */
export const formatCsvRow = (cells: readonly string[]): string => `${cells.map(formatCell).join(',')}\r\n`

const formatCell = (text: string): string => {
  const safe = startsFormula.test(text) && !isNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
