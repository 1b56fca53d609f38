import { readCommand } from '#tools/command/readCommand.ts'
import { runSeeds } from './parallel/runSeeds.ts'
import { startChild } from './parallel/startChild.ts'

const command = {
  run: 'npm run simulate',
  about: `Runs the service on a model of the chain, the database, the platform and its clients. The same seed gives the same run.
A broken invariant prints the story of its order, and a shorter run that breaks it, too. docs/simulation.md`,
  options: {
    seed: { type: 'string', default: '42', value: 'n', about: 'the first seed' },
    seeds: { type: 'string', default: '1', value: 'n', about: 'number of seeds, one run each' },
    blocks: { type: 'string', default: '200', value: 'n', about: 'length of a run' },
    jobs: { type: 'string', default: '1', value: 'n', about: 'number of processes, about 800 MB each' },
    without: { type: 'string', default: '', value: 'name,…', about: 'actors that do not take part' },
    with: { type: 'string', default: '', value: 'name,…', about: 'actors that take part in any case' },
    only: { type: 'string', default: '', value: 'name,…', about: 'these actors and no others, with honest solvers' },
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

const { values } = readCommand(command)
const readNames = (list: string) => list.split(',').filter((name) => name !== '')
const terms = {
  blocks: Number(values.blocks),
  without: readNames(values.without),
  with: readNames(values.with),
  ...(values.only === '' ? {} : { only: readNames(values.only) }),
  shrinks: values.shrink,
  logFile: values.log,
  fault: process.env.SIMULATION_FAULT,
}
const isSound = await runSeeds({
  first: Number(values.seed),
  count: Number(values.seeds),
  jobs: Number(values.jobs),
  budget: Number(values.budget),
  startRunner: () => {
    const child = startChild()
    return { run: (seed, tell) => child.run({ ...terms, seed }, tell), end: child.end }
  },
  write: (line) => void process.stdout.write(`${line}\n`),
  tellProgress: (line) => void process.stderr.write(`${line}\n`),
})
process.exitCode = isSound ? 0 : 1
