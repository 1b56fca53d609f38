import './networks/loadOperatorNetworks.ts'

import { join } from 'node:path'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { readEnvironment } from './deploy/environment.ts'
import { planDeployment } from './deploy/planDeployment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { readSettings } from './deploy/readSettings.ts'
import { createRunWrangler } from './deploy/runWrangler.ts'
import { rollBack } from './rollback/rollBack.ts'
import { readWorkerConfigs } from './workers/readWorkerConfigs.ts'

const command = {
  run: 'npm run rollback',
  about: `Returns all Workers of a network, and the shared ones, to the release before the newest, the gateway first.
The database and secrets of other services stay as they are.`,
  positionals: { '<network>': 'name, alias or chain id' },
  options: {
    staging: { type: 'boolean', default: false, about: 'the staging environment of the network' },
    own: { type: 'boolean', default: false, about: 'the Workers of this network alone: the shared ones stay' },
    'dry-run': { type: 'boolean', default: false, about: 'print the versions, change nothing' },
  },
} as const

/** Whether each Worker of the newest release is back. */
const main = async (): Promise<boolean> => {
  const { values, positionals } = readCommand(command)
  const network = readNetwork(positionals, command.run)
  const environment = readEnvironment(values.staging)
  const settings = readSettings(process.cwd(), environment, process.env)
  const { workers } = planDeployment({
    ...{ bases: await readWorkerConfigs(join(import.meta.dirname, '..')), settings, environment, network },
    ...{ others: [...settings.networks.keys()].filter((name) => name !== network), version: 'unknown' },
  })
  console.log(`${network}, ${environment}${values['dry-run'] ? ': dry run, nothing is changed' : ''}`)
  const returned = values.own ? workers.filter(({ config }) => config.vars?.NETWORK === network) : workers
  return rollBack(
    returned.map(({ config }) => config.name),
    { run: createRunWrangler(process.env), dryRun: values['dry-run'], log: console.log },
  )
}

await runMain(main)
