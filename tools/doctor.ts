import './networks/loadOperatorNetworks.ts'

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { readEnvironment } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { settingsFile } from './deploy/settingsFile.ts'
import { reachAndDiagnose } from './doctor/reachAndDiagnose.ts'
import { readDiagnosisTarget } from './doctor/readDiagnosisTarget.ts'
import { readLocalTarget } from './doctor/readLocalTarget.ts'
import { toLines } from './doctor/toLines.ts'
import { stackInfoFile } from './stack/stackInfo.ts'

const command = {
  run: 'npm run doctor',
  about: 'Checks all dependencies of a network and changes nothing.',
  positionals: { '<network>': 'name, alias or chain id' },
  options: {
    staging: { type: 'boolean', default: false, about: 'the staging environment of the network' },
    local: {
      type: 'boolean',
      default: false,
      about: 'the stack of npm start, also where settings of the network exist',
    },
    limit: {
      type: 'string',
      default: '',
      value: 'GB',
      about: 'the largest size of a database, instead of the one Neon reports',
    },
    dir: { type: 'string', default: '.edgebook', value: 'folder', about: 'the folder of the stack' },
  },
} as const

/** Whether nothing is wrong. */
const main = async (): Promise<boolean> => {
  const { values, positionals } = readCommand(command)
  const network = readNetwork(positionals, command.run)
  const environment = readEnvironment(values.staging)
  const hasSettings = existsSync(settingsFile(network, environment))
  const isLocal = values.local || (!hasSettings && !values.staging && existsSync(stackInfoFile(values.dir)))
  console.log(isLocal ? `${network}: the stack in ${values.dir}` : `${network}, ${environment}`)
  const { target, findings } = isLocal
    ? { target: readLocalTarget(values.dir, network), findings: [] }
    : await readDiagnosisTarget({
        root: join(import.meta.dirname, '..'),
        dir: process.cwd(),
        network,
        environment,
        variables: process.env,
      })
  const place = isLocal ? 'here' : undefined
  const found = await reachAndDiagnose(network, { ...target, place, databaseLimitBytes: readLimit(values.limit) })
  const all = [...findings, ...found]
  for (const line of toLines(all)) console.log(line)
  const faults = all.filter(({ state }) => state === 'wrong').length
  console.log(faults === 0 ? '\nnothing is wrong' : `\n${faults} wrong`)
  return faults === 0
}

/** Bytes of a limit in gigabytes; undefined without one. */
const readLimit = (text: string): number | undefined => {
  if (text === '') return undefined
  const gigabytes = Number(text)
  if (!(gigabytes > 0)) throw new Error(`--limit must be a number of gigabytes above 0; got "${text}"`)
  return gigabytes * 1e9
}

await runMain(main)
