import type { ComponentChildren } from 'preact'
import './dataTable.css'

export type Column<Row> = {
  name: string
  /** right-aligned figures */
  isNumeric?: boolean
  /** percent of the table; with a share for each column, later content moves none */
  share?: number
  render: (row: Row) => ComponentChildren
}

type Props<Row> = {
  /** caption for screen readers */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** class of a highlighted row */
  classOf?: (row: Row) => string | undefined
}

/** A table; on narrow screens, each row is a card with named values. */
export const DataTable = <Row,>({ caption, columns, rows, keyOf, classOf }: Props<Row>) => (
  <div class="scroll-x">
    <table class={columns.every(({ share }) => share !== undefined) ? 'data-table shared' : 'data-table'}>
      <caption class="visually-hidden">{caption}</caption>
      <colgroup>
        {columns.map(({ name, share }) => (
          <col key={name} style={share === undefined ? undefined : { width: `${share}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ name, isNumeric }) => (
            <th key={name} scope="col" class={isNumeric ? 'numeric' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={classOf?.(row)}>
            {columns.map(({ name, isNumeric, render }) => (
              <td key={name} data-label={name} class={isNumeric ? 'numeric' : undefined}>
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
