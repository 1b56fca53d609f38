import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type Step = {
  name: string
  /** program and arguments */
  command: readonly string[]
  /** of the environment, beside those of this process */
  variables?: Record<string, string>
}

export type StepResult = { name: string; passed: boolean; seconds: number }

/**
 * Runs steps side by side until all have ended, also after a failure. Lines of several steps have the step's name in front.
 * @param write receives the output of several steps; a single one writes to the terminal itself
 */
export const runSideBySide = (
  cwd: string,
  steps: readonly Step[],
  write: (line: string) => void = console.log,
): Promise<StepResult[]> => {
  const run = async ({ name, command: [program = '', ...args], variables }: Step): Promise<StepResult> => {
    const began = performance.now()
    const isAlone = steps.length === 1
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...variables },
      stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => write(`[${name}] ${line}`))
    const [code] = await once(child, 'close')
    return { name, passed: code === 0, seconds: (performance.now() - began) / 1_000 }
  }
  return Promise.all(steps.map(run))
}
