import { readOperatorNetworks } from './readOperatorNetworks.ts'

// Commands import this file first: `shared/networks.ts` reads the text once, when it is loaded. A local stack always has
// the canonical contracts.
try {
  const isLocal = process.argv.includes('--local')
  const text = readOperatorNetworks(process.cwd(), process.argv.includes('--staging'), process.env)
  Object.assign(globalThis, { EDGEBOOK_NETWORKS: isLocal ? '{}' : text })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
