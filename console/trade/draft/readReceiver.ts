import { isAddress, zeroAddress } from 'viem'
import type { NamedAddress } from '../../wallet/useNamedAddress.ts'

const nameFaults: Record<Exclude<NamedAddress['state'], 'none' | 'found'>, string> = {
  unconnected: 'Connect a wallet on this network to look up names.',
  loading: 'Looking up the name …',
  missing: 'This name has no address.',
  unavailable: 'Your wallet cannot look up the name now. Enter an address.',
}

/** Typed recipient, an address or a name; empty: the owner. */
export const readReceiver = (text: string, named: NamedAddress): { address?: string; fault?: string } => {
  const typed = text.trim()
  if (typed === '') return {}
  if (named.state === 'found') return { address: named.address }
  if (named.state !== 'none') return { fault: nameFaults[named.state] }
  // mixed case is a checksum, which reveals typing errors
  if (!isAddress(typed) || typed === zeroAddress) return { fault: 'Invalid address.' }
  return { address: typed.toLowerCase() }
}
