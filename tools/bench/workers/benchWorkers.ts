import { type Report, toReport } from '../figure.ts'
import { findStartupTimes } from './findStartupTimes.ts'

/** Budget for the start-up of each Worker */
const budgetMs = 100
const turns = 5

/** Start-up cost of each Worker. */
export const benchWorkers = async (report: (report: Report) => void): Promise<void> => {
  const times = Object.entries(await findStartupTimes(turns))
  const figures = times.map(([name, { ownMs }]) => ({ name, value: ownMs, unit: 'ms', budget: budgetMs }))
  report(toReport('start-up of each Worker: CPU time of compiling and running its modules', figures))
}
