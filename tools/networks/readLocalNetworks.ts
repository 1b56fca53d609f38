import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Entry = Record<string, unknown>

const shipped = join(import.meta.dirname, '../../shared/networks')

/**
 * The networks of `networks.json` as a local stack has them: with the canonical contracts, and the exchanges of Sepolia
 * for a network of the operator that names none.
 * @param dir folder of `networks.json`
 * @returns JSON text for `readNetworks`
 * @throws Error when the file is not JSON
 */
export const readLocalNetworks = (dir: string): string => {
  const file = join(dir, 'networks.json')
  if (!existsSync(file)) return '{}'
  try {
    const entries = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Entry>
    return JSON.stringify(Object.fromEntries(Object.entries(entries).map(toLocal)))
  } catch (error) {
    throw new Error(`networks.json: ${error instanceof Error ? error.message : error}`)
  }
}

const toLocal = ([name, entry]: [string, Entry]): [string, Entry] => {
  const isShipped = existsSync(join(shipped, `${name}.json`))
  return [name, { ...(isShipped ? {} : readExchanges()), ...entry, contracts: 'canonical' }]
}

const readExchanges = (): Entry => {
  const { uniswapV2Factory, uniswapV3 } = JSON.parse(readFileSync(join(shipped, 'sepolia.json'), 'utf8')) as Entry
  return { uniswapV2Factory, uniswapV3 }
}
