import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Names of a class's Durable Objects with a set alarm, read from the local runtime's storage.
 * @param dir folder of the stack
 * @param className with its Worker: `edgebook-auctions-sepolia-AuctionClock`
 */
export const findAlarms = (dir: string, className: string): string[] => {
  const file = join(dir, 'durable/v3/do', className, 'metadata.sqlite')
  if (!existsSync(file)) throw new Error(`no alarm storage in ${file}`)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database
      .prepare('select actor_name from _cf_ALARM')
      .all()
      .map(({ actor_name }) => String(actor_name))
  } finally {
    database.close()
  }
}
