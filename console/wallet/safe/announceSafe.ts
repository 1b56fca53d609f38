import { connectSafe } from './connectSafe.ts'
import { createSafeProvider } from './createSafeProvider.ts'

const info = { rdns: 'global.safe', name: 'Safe' }

/** Announces the Safe that frames this page, as wallets announce themselves (EIP-6963). */
export const announceSafe = async (): Promise<void> => {
  const provider = await createSafeProvider(connectSafe()).catch(() => undefined)
  if (!provider) return
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
