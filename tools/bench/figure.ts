/** One measured number. Without a budget it only informs. */
export type Figure = { name: string; value: number; unit: string; budget?: number }

export const isWithinBudget = ({ value, budget }: Figure): boolean => budget === undefined || value <= budget

/** A table of figures: what was measured, its budget, and whether it holds. */
export const toTable = (title: string, figures: readonly Figure[]): string => {
  const rows = figures.map((figure) => [
    figure.name,
    `${toText(figure.value)} ${figure.unit}`,
    figure.budget === undefined ? '' : `≤ ${toText(figure.budget)} ${figure.unit}`,
    figure.budget === undefined ? '' : isWithinBudget(figure) ? 'ok' : 'OVER',
  ])
  const table = [['', 'measured', 'budget', 'verdict'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
  return [title, ...lines.map((line) => `  ${line}`.trimEnd())].join('\n')
}

const toText = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : value.toLocaleString('en', { maximumFractionDigits: 1 })
