import './networks/loadOperatorNetworks.ts'

import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase } from '#schema/client.ts'
import { networks } from '#shared/networks.ts'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { connectOperator, readOperatorKey } from './contracts/connectOperator.ts'
import { findNodeUrl } from './contracts/findNodeUrl.ts'
import { readEnvironment } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { readSettings } from './deploy/readSettings.ts'
import { settingsFile } from './deploy/settingsFile.ts'
import { useDatabase } from './doctor/reachDatabases.ts'
import { sendRefunds } from './refunds/sendRefunds.ts'

const command = {
  run: 'npm run refunds',
  about: `Refunds expired orders of the native token: their contract holds the unsold rest until someone asks for it.
OPERATOR_PRIVATE_KEY is the key of the account that pays the gas; any account may.`,
  positionals: { '<network>': 'name, alias or chain id' },
  options: {
    every: { type: 'string', default: '0', value: 'seconds', about: 'repeats after this time; 0: one round' },
    staging: { type: 'boolean', default: false, about: 'the staging environment of the network' },
  },
} as const

/** later rounds leave out what expired this long before the one before: it was refunded, or its owner refuses it */
const overlapSeconds = 86_400
const log = (line: string): void => console.log(line)

const main = async (): Promise<void> => {
  const { values, positionals } = readCommand(command)
  const name = readNetwork(positionals, command.run)
  const environment = readEnvironment(values.staging)
  const seconds = Number(values.every)
  if (!Number.isInteger(seconds) || seconds < 0) throw new Error(`--every: whole seconds; got ${values.every}`)
  const { shared, networks: configured } = readSettings(process.cwd(), environment, process.env)
  const url = configured.get(name)?.DATABASE_URL ?? shared.DATABASE_URL
  if (!url) throw new Error(`DATABASE_URL is missing in ${settingsFile(name, environment)}`)
  const rpcUrl = findNodeUrl(process.cwd(), name, environment, process.env)
  const chain = connectOperator(rpcUrl, networks[name], readOperatorKey(process.env))
  const runRound = async (from: number) => {
    const { refunded, skipped } = await useDatabase(url, (reached) =>
      sendRefunds(connectDatabase(reached), chain, networks[name], { from, log }),
    )
    log(`${refunded} refunded, ${skipped} skipped`)
  }
  if (seconds === 0) return runRound(0)
  for (let from = 0; ; ) {
    const startedAt = Math.floor(Date.now() / 1_000)
    try {
      await runRound(from)
      from = startedAt - overlapSeconds
    } catch (error) {
      // the next round repeats what a failing node or database left
      console.error(error instanceof Error ? error.message : error)
    }
    await sleep(1_000 * seconds)
  }
}

await runMain(main)
