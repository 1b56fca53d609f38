import { readLocalNetworks } from './readLocalNetworks.ts'

// The local stack imports this file first: `shared/networks.ts` reads the text once, when it is loaded.
try {
  Object.assign(globalThis, { EDGEBOOK_NETWORKS: readLocalNetworks(process.cwd()) })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
