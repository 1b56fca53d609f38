/** Lines of a table with aligned columns; the first row is the header. */
export const toTable = (title: string, rows: readonly (readonly string[])[]): string => {
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return [title, ...lines.map((line) => `  ${line}`.trimEnd())].join('\n')
}

/** A number for people: whole, or with as many decimals as matter. */
export const toText = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Number.isInteger(value) ? 0 : value < 10 ? 2 : 1 })
