import { storage } from '../../browser/storage.ts'

const toKey = (network: string): string => `favourites:${network}`
const addressPattern = /^0x[0-9a-f]{40}$/
const maxStored = 50

/** Addresses of the user's favourite tokens, remembered in this browser. */
export const readFavourites = (network: string): readonly string[] =>
  (storage.get(toKey(network)) ?? '')
    .split(',')
    .filter((address) => addressPattern.test(address))
    .slice(0, maxStored)

/** Adds or removes a favourite. @returns the new ones */
export const toggleFavourite = (network: string, address: string): readonly string[] => {
  const before = readFavourites(network)
  const after = before.includes(address) ? before.filter((other) => other !== address) : [...before, address]
  storage.set(toKey(network), after.join())
  return after
}
