import type { components } from '../api/openapi.d.ts'

export type Channels = components['schemas']['NotificationChannels']
export type ManageAction = 'list' | 'delete' | 'test' | 'replay'

/** What limits the use of a message. */
export type Stamp = { nonce: string /** Unix seconds */; deadline: number }

/** Seconds; the API accepts an hour, a day for a list. */
const signedForSeconds = { write: 600, list: 3_600 }

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
]

/** @param random 32 bytes. @param nowMs Unix milliseconds */
export const buildStamp = (random: Uint8Array, nowMs: number, use: 'write' | 'list'): Stamp => ({
  nonce: `0x${[...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  deadline: Math.floor(nowMs / 1_000) + signedForSeconds[use],
})

const build = (
  { typedData }: Pick<Channels, 'typedData'>,
  chainId: number,
  primaryType: 'Subscribe' | 'ManageSubscriptions',
  message: object,
) => ({
  domain: { ...typedData.domain, chainId },
  types: { EIP712Domain: domainType, [primaryType]: typedData.types[primaryType] },
  primaryType,
  message,
})

/** Terms of a subscription as signed: the target of a push is its endpoint, empty lists select all. */
export type SubscribeTerms = { channel: string; target: string; types: string[]; networks: number[] }

/** The argument of eth_signTypedData_v4 that subscribes an account. */
export const buildSubscribe = (
  channels: Pick<Channels, 'typedData'>,
  chainId: number,
  account: string,
  terms: SubscribeTerms,
  stamp: Stamp,
) => build(channels, chainId, 'Subscribe', { account, ...terms, ...stamp })

/** The argument of eth_signTypedData_v4 that manages subscriptions. @param subscription its id; empty for a list */
export const buildManage = (
  channels: Pick<Channels, 'typedData'>,
  chainId: number,
  account: string,
  { action, subscription }: { action: ManageAction; subscription: string },
  stamp: Stamp,
) => build(channels, chainId, 'ManageSubscriptions', { account, action, subscription, ...stamp })

/** The header of a signed request without a body. */
export const formatAuthorization = (chainId: number, { nonce, deadline }: Stamp, signature: string): string =>
  `EIP712 chainId=${chainId}, nonce=${nonce}, deadline=${deadline}, signature=${signature}`
