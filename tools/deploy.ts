import './networks/loadOperatorNetworks.ts'

import { join } from 'node:path'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { deploy } from './deploy/deploy.ts'
import { readEnvironment } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { createRunWrangler } from './deploy/runWrangler.ts'
import { writeTemplates } from './deploy/writeTemplates.ts'

const command = {
  run: 'npm run deploy',
  about: 'Deploys a network: checks, migrations, secrets, then one Worker after the other.',
  positionals: { '<network>': 'name, alias or chain id' },
  options: {
    staging: { type: 'boolean', default: false, about: 'the staging environment of the network' },
    'dry-run': {
      type: 'boolean',
      default: false,
      about: 'print the steps, the missing settings and what is wrong, deploy nothing',
    },
    gradual: {
      type: 'boolean',
      default: false,
      about: 'shift the traffic to the new versions in steps, with checks, and back on a failure',
    },
    anyway: { type: 'boolean', default: false, about: 'deploy although a check of npm run doctor is wrong' },
    init: { type: 'boolean', default: false, about: 'write templates of the settings files' },
  },
} as const

/** Deploys a network, prints a dry run, or writes its settings files. */
const main = async (): Promise<boolean> => {
  const { values, positionals } = readCommand(command)
  const target = {
    dir: process.cwd(),
    network: readNetwork(positionals, command.run),
    environment: readEnvironment(values.staging),
  }
  if (values.init) return writeTemplates(target, console.log)
  return deploy({
    ...target,
    root: join(import.meta.dirname, '..'),
    dryRun: values['dry-run'],
    anyway: values.anyway,
    // half a minute after each of three shifts
    gradual: values.gradual ? { rounds: 30, pauseMs: 1_000, fetch } : undefined,
    variables: process.env,
    run: createRunWrangler(process.env),
    log: console.log,
  })
}

await runMain(main)
