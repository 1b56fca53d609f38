import { toTable, toText } from './toTable.ts'

/** One measured number. Without a budget it only informs. */
export type Figure = { name: string; value: number; unit: string; budget?: number | undefined }

export const isWithinBudget = ({ value, budget }: Figure): boolean => budget === undefined || value <= budget

/** What a benchmark reports: a table to read, the figures for machines, and the budgets that do not hold. */
export type Report = { title: string; table: string; figures: unknown; over: string[] }

/** A table of figures: what was measured, its budget, and whether it holds. */
export const toReport = (title: string, figures: readonly Figure[]): Report => {
  const rows = figures.map((figure) => [
    figure.name,
    `${toText(figure.value)} ${figure.unit}`,
    figure.budget === undefined ? '' : `≤ ${toText(figure.budget)} ${figure.unit}`,
    figure.budget === undefined ? '' : isWithinBudget(figure) ? 'ok' : 'OVER',
  ])
  return {
    title,
    table: toTable(title, [['', 'measured', 'budget', 'verdict'], ...rows]),
    figures,
    over: figures.filter((figure) => !isWithinBudget(figure)).map(({ name }) => `${title}: ${name}`),
  }
}
