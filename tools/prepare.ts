import './networks/loadLocalNetworks.ts'

import { join } from 'node:path'
import { readCommand } from './command/readCommand.ts'
import { compileAside } from './stack/chain/contracts/compileContracts.ts'
import { settle } from './stack/processes/settle.ts'
import { buildWorkers } from './workers/buildWorkers.ts'
import { readWorkerConfigs } from './workers/readWorkerConfigs.ts'

const command = {
  run: 'npm run prepare',
  about: `Builds Workers, console and contracts ahead of their first use; npm install runs it. Commands that need them build
what is missing, also after a change of a source.`,
  options: {},
} as const

readCommand(command)
const root = join(import.meta.dirname, '..')
try {
  await settle(buildWorkers(root, await readWorkerConfigs(root)), compileAside('contracts'))
} catch (error) {
  // The packages are installed: what needs the build fails with the same message.
  console.error(error instanceof Error ? error.message : error)
}
