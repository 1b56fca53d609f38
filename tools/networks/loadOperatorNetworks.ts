import { readNetworks } from '#shared/networks/readNetworks.ts'
import { readLocalNetworks } from './readLocalNetworks.ts'
import { readOperatorNetworks } from './readOperatorNetworks.ts'

// Commands import this file first: `shared/networks.ts` reads the text once, when it is loaded. A local stack always has
// the canonical contracts.
try {
  const isLocal = process.argv.includes('--local')
  const text = isLocal
    ? readLocalNetworks(process.cwd())
    : readOperatorNetworks(process.cwd(), process.argv.includes('--staging'), process.env)
  // a wrong entry is an error of this command, not of the module that reads the text next
  readNetworks(text)
  Object.assign(globalThis, { EDGEBOOK_NETWORKS: text })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
