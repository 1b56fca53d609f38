import type { Settings } from '../settings.ts'
import { ethplorer } from './ethplorer.ts'
import { goldRush } from './goldRush.ts'
import type { HolderSource } from './holderSource.ts'
import { moralis } from './moralis.ts'

/** The holder providers enabled by the settings, in the sequence of use. */
export const connectHolderSources = (settings: Settings): HolderSource[] => {
  const { MORALIS_API_KEY, ETHPLORER_API_KEY, GOLDRUSH_API_KEY } = settings
  return [
    ...(MORALIS_API_KEY ? [moralis({ url: settings.MORALIS_URL, apiKey: MORALIS_API_KEY })] : []),
    ...(ETHPLORER_API_KEY ? [ethplorer({ urls: settings.ETHPLORER_URLS, apiKey: ETHPLORER_API_KEY })] : []),
    ...(GOLDRUSH_API_KEY ? [goldRush({ url: settings.GOLDRUSH_URL, apiKey: GOLDRUSH_API_KEY })] : []),
  ]
}
