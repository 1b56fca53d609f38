import type { Report } from '../figure.ts'
import { toTable, toText } from '../toTable.ts'
import type { PageMeasures } from './measurePage.ts'

type Row = {
  page: string
  /** CSS pixels */
  width: number
  measures: PageMeasures
}

/** On the local stack: milliseconds, and the sum of layout shifts. */
const budgets = { lcp: 1_000, cls: 0.02 }

/** One line per page: LCP and CLS at each width, and the number of findings; findings are listed in `over`. */
export const toPageReport = (rows: readonly Row[]): Report => {
  const title = 'pages: LCP ms / CLS by width in pixels'
  const widths = [...new Set(rows.map(({ width }) => width))]
  const names = [...new Set(rows.map(({ page }) => page))]
  const lines = names.map((name) => {
    const own = rows.filter(({ page }) => page === name)
    const cells = own.map(({ measures }) => `${Math.round(measures.lcp)} / ${toText(measures.cls)}`)
    return [name, ...cells, String(own.reduce((count, { measures }) => count + measures.findings.length, 0))]
  })
  return {
    table: toTable(title, [['page', ...widths.map(String), 'findings'], ...lines]),
    over: rows.flatMap(({ page, width, measures: { lcp, cls, findings } }) => [
      ...(lcp > budgets.lcp ? [`${page} at ${width}: LCP ${Math.round(lcp)} ms, ${budgets.lcp} allowed`] : []),
      ...(cls > budgets.cls ? [`${page} at ${width}: CLS ${toText(cls)}, ${budgets.cls} allowed`] : []),
      ...findings.map((finding) => `${page} at ${width}: ${finding}`),
    ]),
  }
}
