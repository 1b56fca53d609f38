import '../platform/registerModules.ts'
import { writeFileSync } from 'node:fs'
import { openSimulatedDatabase } from '../database/openSimulatedDatabase.ts'
import { shrinkRun } from '../story/shrinkRun.ts'
import { tellStory } from '../story/tellStory.ts'
import type { ChildMessage, ChildTask } from './startChild.ts'

// sources of the service are loaded after the hooks of `registerModules`
const { simulate } = await import('../simulate.ts')
const database = await openSimulatedDatabase()
/** one line in about a minute */
const blocksPerProgress = 1_000
let reportedCpuSeconds = 0

const send = (message: ChildMessage) => process.send?.(message)
const tell = (line: string) => send({ line })

/** Runs a seed and reports it. @returns whether it failed */
const run = async ({ shrinks, logFile, ...terms }: ChildTask): Promise<boolean> => {
  const { seed, blocks } = terms
  const tellProgress = (number: number) => {
    if (number % blocksPerProgress === 0) process.stderr.write(`seed ${seed}: block ${number} of ${blocks}\n`)
  }
  const result = await simulate(database, terms, tellProgress)
  if (logFile) writeFileSync(logFile, `${result.log.lines.join('\n')}\n`)
  if (result.failure === undefined) {
    tell(`seed ${seed}: ${result.blocks} blocks, ${result.log.count()} lines, sha256 ${result.log.digest()}`)
    return false
  }
  tell(`seed ${seed} failed at block ${result.blocks}`)
  for (const line of tellStory(result)) tell(line)
  if (shrinks) {
    const shorter = await shrinkRun((other) => simulate(database, other), terms, result, tell)
    const actors = shorter.without.length > 0 ? ` --without '${shorter.without.join()}'` : ''
    tell(`shorter: npm run simulate -- --seed ${seed} --blocks ${shorter.blocks}${actors}`)
  }
  return true
}

process.on('disconnect', () => process.exit())
process.on('message', async (task: ChildTask) => {
  const hasFailed = await run(task)
  const { user, system } = process.cpuUsage()
  const cpuSeconds = (user + system) / 1e6
  send({ outcome: { hasFailed, cpuSeconds: cpuSeconds - reportedCpuSeconds } })
  reportedCpuSeconds = cpuSeconds
})
