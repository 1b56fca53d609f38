import './platform/registerModules.ts'
import { writeFileSync } from 'node:fs'
import { readCommand } from '#tools/command/readCommand.ts'
import { openSimulatedDatabase } from './database/openSimulatedDatabase.ts'
import { shrinkRun } from './story/shrinkRun.ts'
import { tellStory } from './story/tellStory.ts'

const command = {
  run: 'npm run simulate --',
  about: `Runs the service on a model of the chain, the database, the platform and its clients. The same seed gives the same run.
A broken invariant prints the story of its order, and a shorter run that breaks it, too. docs/simulation.md`,
  options: {
    seed: { type: 'string', default: '42', value: 'n', about: 'the first seed' },
    seeds: { type: 'string', default: '1', value: 'n', about: 'number of seeds, one run each' },
    blocks: { type: 'string', default: '200', value: 'n', about: 'length of a run' },
    without: { type: 'string', default: '', value: 'name,…', about: 'actors that do not take part' },
    budget: {
      type: 'string',
      default: '0',
      value: 'seconds',
      about: 'starts no further run after this CPU time; 0: no limit',
    },
    log: { type: 'string', default: '', value: 'file', about: 'writes the whole log of the last run' },
    shrink: { type: 'boolean', default: false, about: 'searches a shorter run after a failure' },
  },
} as const

// the platform of this process is replaced during a run: these are the real ones
const write = (line: string) => process.stdout.write(`${line}\n`)
const readCpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6

/** Runs the seeds until one fails; whether none did. */
const main = async (): Promise<boolean> => {
  const { values } = readCommand(command)
  const [first, count, blocks, budget] = [values.seed, values.seeds, values.blocks, values.budget].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const without = values.without.split(',').filter((name) => name !== '')
  // sources of the service are loaded after the hooks of `registerModules`
  const { simulate } = await import('./simulate.ts')
  const database = await openSimulatedDatabase()
  for (let seed = first; seed < first + count; seed += 1) {
    if (budget > 0 && readCpuSeconds() > budget) {
      write(`stopped before seed ${seed}: ${budget} s of CPU are used`)
      break
    }
    const terms = { seed, blocks, without }
    const result = await simulate(database, terms)
    if (values.log) writeFileSync(values.log, `${result.log.lines.join('\n')}\n`)
    if (result.failure === undefined) {
      write(`seed ${seed}: ${result.blocks} blocks, ${result.log.count()} lines, sha256 ${result.log.digest()}`)
      continue
    }
    write(`seed ${seed} failed at block ${result.blocks}`)
    for (const line of tellStory(result)) write(line)
    if (values.shrink) {
      const shorter = await shrinkRun((other) => simulate(database, other), terms, result, write)
      const actors = shorter.without.length > 0 ? ` --without '${shorter.without.join()}'` : ''
      write(`shorter: npm run simulate -- --seed ${seed} --blocks ${shorter.blocks}${actors}`)
    }
    return false
  }
  return true
}

// open timers of the run would keep the process alive
process.exit((await main()) ? 0 : 1)
