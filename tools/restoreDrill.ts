import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { drillRestore } from './restore/drillRestore.ts'

const command = {
  run: 'npm run restore-drill',
  about: `Dumps the database of DATABASE_URL, restores it into a temporary cluster on this machine, checks the copy and prints
the times. Needs the programs of PostgreSQL, of the version of the database or newer; PG_BIN names their folder.`,
  options: {
    target: {
      type: 'string',
      default: '',
      value: 'url',
      about: 'empty database to restore into, changed by the drill',
    },
  },
} as const

/** Whether the restored copy can serve. */
const main = async (): Promise<boolean> => {
  const { values } = readCommand(command)
  const source = process.env.DATABASE_URL
  if (!source) throw new Error('set DATABASE_URL to the direct connection string of the database')
  const faults = await drillRestore({ source, target: values.target || undefined, log: console.log })
  for (const fault of faults) console.error(fault)
  if (faults.length === 0) console.log('the copy has all rows, and its streams continue')
  return faults.length === 0
}

await runMain(main)
