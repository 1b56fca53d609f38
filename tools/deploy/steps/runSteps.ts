import { describeError } from '#shared/http/describeError.ts'
import { WranglerError } from '../runWrangler.ts'

/** Step of a deployment; a repetition changes nothing. `work` resolves with a short result. */
export type DeployStep = { name: string; work: () => Promise<string> }

/** ` 3/11 deploy …` */
export const toLine = (step: DeployStep, steps: readonly DeployStep[]): string =>
  `${String(steps.indexOf(step) + 1).padStart(3)}/${steps.length} ${step.name}`

/**
 * Runs the steps in order and prints each; stops after a failure.
 * @returns success of all steps
 */
export const runSteps = async (steps: readonly DeployStep[], log: (line: string) => void): Promise<boolean> => {
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
    ? 'no other step ran. Fix the cause and run the same command again'
    : `steps 1 to ${done} are done, the others are not; their Workers are unchanged. ` +
      'Fix the cause and run the same command again; repeated steps change nothing'
