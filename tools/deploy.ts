import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deploy } from './deploy/deploy.ts'
import { readEnvironment } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { createRunWrangler } from './deploy/runWrangler.ts'
import { writeTemplates } from './deploy/writeTemplates.ts'

const usage = 'npm run deploy -- <network> [--staging] [--dry-run | --init]'

/** Deploys a network, prints a dry run, or writes its settings files. */
const main = async (): Promise<boolean> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      staging: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      init: { type: 'boolean', default: false },
    },
  })
  const target = {
    dir: process.cwd(),
    network: readNetwork(positionals, usage),
    environment: readEnvironment(values.staging),
  }
  if (values.init) return writeTemplates(target, console.log)
  return deploy({
    ...target,
    root: join(import.meta.dirname, '..'),
    dryRun: values['dry-run'],
    variables: process.env,
    run: createRunWrangler(process.env),
    log: console.log,
  })
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
