import { createRequire } from 'node:module'
import { cpus, release, totalmem, type } from 'node:os'

/** Description of the machine, so that figures can be compared. */
export const describeMachine = () => {
  const processors = cpus()
  const wrangler = createRequire(createRequire(import.meta.url).resolve('wrangler/package.json'))
  return {
    at: new Date().toISOString(),
    system: `${type()} ${release()}`,
    processors: `${processors.length} × ${processors[0]?.model}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    workerd: (wrangler('workerd/package.json') as { version: string }).version,
    database: process.env.TEST_DATABASE_URL ? 'Postgres' : 'PGlite',
  }
}
