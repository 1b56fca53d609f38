import { toSafeText } from '../ui/toSafeText.ts'
import type { EthereumProvider, WalletChoice } from './ethereumProvider.ts'

const maxNameLength = 40
const maxIconLength = 100_000
const rdnsPattern = /^[a-zA-Z0-9.-]{1,100}$/
/** Only embedded images: a remote one would reveal visitors of this page. */
const iconPattern = /^data:image\/(?:png|jpeg|webp|gif|svg\+xml)[;,]/

type Untrusted = Record<string, unknown>

const isRecord = (value: unknown): value is Untrusted => typeof value === 'object' && value !== null

const isProvider = (value: unknown): value is EthereumProvider => isRecord(value) && typeof value.request === 'function'

/**
 * Parses the `detail` of an `eip6963:announceProvider` event, which any script in the page can send.
 * @returns undefined for an invalid announcement
 */
export const readAnnouncement = (detail: unknown): WalletChoice | undefined => {
  if (!isRecord(detail) || !isRecord(detail.info) || !isProvider(detail.provider)) return undefined
  const { rdns, name, icon } = detail.info
  if (typeof rdns !== 'string' || !rdnsPattern.test(rdns) || rdns === 'local') return undefined
  const isIcon = typeof icon === 'string' && icon.length <= maxIconLength && iconPattern.test(icon)
  return {
    rdns,
    name: (typeof name === 'string' && toSafeText(name, maxNameLength)) || rdns,
    icon: isIcon ? icon : null,
    address: null,
    provider: detail.provider,
  }
}
