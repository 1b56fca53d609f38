import { formatCsvRow } from './formatCsv.ts'

/** Rows of a file at most. */
export const maxCsvRows = 10_000

type Source<Row> = {
  header: readonly string[]
  /** @param cursor of the page; undefined: the first one */
  loadPage: (cursor: string | undefined) => Promise<{ rows: readonly Row[]; next: string | null }>
  toCells: (rows: readonly Row[]) => Promise<readonly (readonly string[])[]>
}

export type CsvFile = {
  /** text of each page, the header first */
  parts: string[]
  rows: number
  /** false: older rows are missing */
  isComplete: boolean
}

/**
 * Reads a list page by page, formats each page as it arrives, and stops at the bound.
 * @param onProgress receives the number of rows so far
 * @throws errors of `loadPage` and `toCells`
 */
export const collectCsv = async <Row>(
  { header, loadPage, toCells }: Source<Row>,
  onProgress: (rows: number) => void,
  most = maxCsvRows,
): Promise<CsvFile> => {
  const parts = [formatCsvRow(header)]
  let rows = 0
  let cursor: string | undefined
  for (;;) {
    const page = await loadPage(cursor)
    const taken = page.rows.slice(0, most - rows)
    parts.push((await toCells(taken)).map(formatCsvRow).join(''))
    rows += taken.length
    onProgress(rows)
    if (taken.length < page.rows.length) return { parts, rows, isComplete: false }
    if (page.next === null) return { parts, rows, isComplete: true }
    if (rows >= most) return { parts, rows, isComplete: false }
    cursor = page.next
  }
}
