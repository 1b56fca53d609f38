import { storage } from '../browser/storage.ts'

const storageKey = 'wallet'

/** The wallet and account last connected in this browser. */
export type LastWallet = { rdns: string; address: string }

export const readLastWallet = (): LastWallet | undefined => {
  try {
    const stored: unknown = JSON.parse(storage.get(storageKey) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return undefined
    const { rdns, address } = stored as Record<string, unknown>
    return typeof rdns === 'string' && typeof address === 'string' ? { rdns, address } : undefined
  } catch {
    return undefined
  }
}

export const writeLastWallet = (wallet: LastWallet | undefined): void => {
  if (wallet) storage.set(storageKey, JSON.stringify(wallet))
  else storage.remove(storageKey)
}
