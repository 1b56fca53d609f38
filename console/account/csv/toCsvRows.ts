import type { CsvColumn, FindToken } from './tokenColumns.ts'

/** @returns the cells of each row, in the order of the columns */
export const toCsvRows = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], find: FindToken): string[][] =>
  rows.map((row) => columns.map(([, read]) => read(row, find)))
