/** EIP-712 types of the two messages that accounts sign, as `eth_signTypedData_v4` and viem take them. */
export const messageTypes = {
  Subscribe: [
    { name: 'account', type: 'address' },
    { name: 'channel', type: 'string' },
    { name: 'target', type: 'string' },
    { name: 'types', type: 'string[]' },
    { name: 'networks', type: 'uint256[]' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
  ],
  ManageSubscriptions: [
    { name: 'account', type: 'address' },
    { name: 'action', type: 'string' },
    { name: 'subscription', type: 'string' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export const domainVersion = '1'

/** The name in the domain of the messages. */
export const toDomainName = (serviceName: string): string => `${serviceName} notifications`

/** What a `ManageSubscriptions` message may be for. */
export const manageActions = ['list', 'delete', 'test', 'replay'] as const
export type ManageAction = (typeof manageActions)[number]

/** How many seconds ahead the deadline of a message may be: a list is only read, so its message may be used again until then. */
export const maxSecondsAhead = { write: 3_600, list: 86_400 }
