import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readEnvironment } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { settingsFile } from './deploy/readSettings.ts'
import { diagnose } from './doctor/diagnose.ts'
import { readDiagnosisTarget } from './doctor/readDiagnosisTarget.ts'
import { readLocalTarget } from './doctor/readLocalTarget.ts'
import { toLines } from './doctor/toLines.ts'
import { stackInfoFile } from './stack/stackInfo.ts'

const usage = 'npm run doctor -- <network> [--staging | --local [--dir <folder>]]'

/** Checks all dependencies of a network and changes nothing. */
const main = async (): Promise<boolean> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      staging: { type: 'boolean', default: false },
      local: { type: 'boolean', default: false },
      dir: { type: 'string', default: '.edgebook' },
    },
  })
  const network = readNetwork(positionals, usage)
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
  const all = [...findings, ...(await diagnose(network, target))]
  for (const line of toLines(all)) console.log(line)
  const faults = all.filter(({ state }) => state === 'wrong').length
  console.log(faults === 0 ? '\nnothing is wrong' : `\n${faults} wrong`)
  return faults === 0
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
