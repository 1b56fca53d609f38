import { toTable, toText } from './toTable.ts'

/** One measured number; a budget makes it a check. */
export type Figure = { name: string; value: number; unit: string; budget?: number | undefined }

const isWithinBudget = ({ value, budget }: Figure): boolean => budget === undefined || value <= budget

/** Report of a benchmark: a table, and the missed budgets. */
export type Report = { table: string; over: string[] }

/** Table of figures with budget and verdict. */
export const toReport = (title: string, figures: readonly Figure[]): Report => {
  const rows = figures.map((figure) => [
    figure.name,
    `${toText(figure.value)} ${figure.unit}`,
    figure.budget === undefined ? '' : `≤ ${toText(figure.budget)} ${figure.unit}`,
    figure.budget === undefined ? '' : isWithinBudget(figure) ? 'ok' : 'OVER',
  ])
  return {
    table: toTable(title, [['', 'measured', 'budget', 'verdict'], ...rows]),
    over: figures.filter((figure) => !isWithinBudget(figure)).map(({ name }) => `${title}: ${name}`),
  }
}
