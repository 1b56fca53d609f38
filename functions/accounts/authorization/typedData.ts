/** EIP-712 types of the two signed messages, in the format of `eth_signTypedData_v4` and viem. */
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

/** `name` of the EIP-712 domain. */
export const toDomainName = (serviceName: string): string => `${serviceName} notifications`

/** Values of `action` in a `ManageSubscriptions` message. */
export type ManageAction = 'list' | 'delete' | 'test' | 'replay'

/** Maximum seconds from now to the deadline of a message. A `list` message is reusable until then, because it only reads. */
export const maxSecondsAhead = { write: 3_600, list: 86_400 }
