/** A process that runs one seed at a time. */
export type SeedRunner = {
  /**
   * Runs a seed.
   * @param tell receives each line of its report
   * @throws Error when the process dies
   */
  run: (seed: number, tell: (line: string) => void) => Promise<SeedOutcome>
  end: () => void
}

export type SeedOutcome = { hasFailed: boolean; cpuSeconds: number }

export type RunSeedsTerms = {
  first: number
  count: number
  /** number of processes */
  jobs: number
  /** seconds of CPU after which no run starts; 0: no limit */
  budget: number
  startRunner: () => SeedRunner
  /** receives the report: the same lines for any number of processes, except where the budget ends */
  write: (line: string) => void
  /** receives a line at every tenth seed */
  tellProgress: (line: string) => void
}

/** Modules remain loaded and retain about half a megabyte of each run. */
const runsPerRunner = 50
const seedsPerProgress = 10

type Report = { lines: string[]; outcome: SeedOutcome | undefined }

/**
 * Runs consecutive seeds in processes until one fails. Reports are written in the order of the seeds; of several that fail
 * at once, the lowest counts.
 * @returns whether no seed failed
 */
export const runSeeds = async (terms: RunSeedsTerms): Promise<boolean> => {
  const { first, count, jobs, budget, startRunner, write, tellProgress } = terms
  const reports = new Map<number, Report>()
  const running = new Map<SeedRunner, number>()
  let next = first
  let written = first
  let ended = 0
  let cpuSeconds = 0
  let lowestFailure = Number.POSITIVE_INFINITY

  const isBudgetUsed = () => budget > 0 && cpuSeconds > budget
  const flush = (): void => {
    for (let report = reports.get(written); report && written <= lowestFailure; report = reports.get(written)) {
      for (const line of report.lines.splice(0)) write(line)
      if (!report.outcome) return
      reports.delete(written)
      written += 1
    }
  }
  const runSeed = async (runner: SeedRunner, seed: number): Promise<void> => {
    const report: Report = { lines: [], outcome: undefined }
    reports.set(seed, report)
    running.set(runner, seed)
    const tell = (line: string) => {
      report.lines.push(line)
      flush()
    }
    const outcome = await runner.run(seed, tell).catch((error: unknown) => {
      if (seed < lowestFailure) tell(`seed ${seed}: ${String(error)}`)
      return { hasFailed: true, cpuSeconds: 0 }
    })
    running.delete(runner)
    report.outcome = outcome
    ended += 1
    cpuSeconds += outcome.cpuSeconds
    if (outcome.hasFailed && seed < lowestFailure) {
      lowestFailure = seed
      // higher seeds no longer count
      for (const [other, higher] of running) if (higher > seed) other.end()
    }
    flush()
    if (ended % seedsPerProgress === 0)
      tellProgress(`${ended} of ${count} seeds have ended after ${Math.round(cpuSeconds)} s of CPU`)
  }
  const work = async (): Promise<void> => {
    let runner: SeedRunner | undefined
    for (let runs = 0; next < first + count && lowestFailure > next && !isBudgetUsed(); runs += 1) {
      if (runs % runsPerRunner === 0) {
        runner?.end()
        runner = startRunner()
      }
      next += 1
      if (runner) await runSeed(runner, next - 1)
    }
    runner?.end()
  }

  await Promise.all(Array.from({ length: jobs }, work))
  if (lowestFailure < Number.POSITIVE_INFINITY) return false
  if (next < first + count) write(`stopped before seed ${next}: ${budget} s of CPU are used`)
  return true
}
