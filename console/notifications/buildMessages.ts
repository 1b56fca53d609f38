import type { components } from '../api/openapi.d.ts'
import type { Stamp } from './buildStamp.ts'

export type Channels = components['schemas']['NotificationChannels']
export type ManageAction = 'list' | 'delete' | 'test' | 'replay'

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
]

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
