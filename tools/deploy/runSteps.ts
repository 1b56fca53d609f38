import { describeError } from '#shared/http/describeError.ts'
import { WranglerError } from './runWrangler.ts'

/** Part of a deployment; done twice it changes nothing. `work` says in a few words what came of it. */
export type Step = { name: string; work: () => Promise<string> }

/** ` 3/11 deploy …` */
export const toLine = (step: Step, steps: readonly Step[]): string =>
  `${String(steps.indexOf(step) + 1).padStart(3)}/${steps.length} ${step.name}`

/**
 * Takes one step after the other and says so; after one that fails, none.
 * @returns whether all went well
 */
export const runSteps = async (steps: readonly Step[], log: (line: string) => void): Promise<boolean> => {
  log('')
  for (const [done, step] of steps.entries()) {
    try {
      log(`${toLine(step, steps)}: ${await step.work()}`)
    } catch (error) {
      log(`${toLine(step, steps)}: failed\n${error instanceof WranglerError ? error.message : describeError(error)}\n`)
      log(describeRest(done))
      return false
    }
  }
  return true
}

const describeRest = (done: number): string =>
  done === 0
    ? 'nothing else was done. Mend what failed and run the same command again'
    : `steps 1 to ${done} are done, the rest is not: Workers not deployed go on as they were. ` +
      'Mend what failed and run the same command again; what is done twice does no harm'
