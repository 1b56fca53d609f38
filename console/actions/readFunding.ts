import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'

/** The argument of eth_signTypedData_v4 for an approval by signature (EIP-2612). */
export type Permit = components['schemas']['PermitStep']['typedData']

type Subject = {
  token: string
  owner: string
  network: Pick<Network, 'chainId' | 'vaultRelayer'>
}

/**
 * The permit among the next steps of a quote, for other amounts of the same owner and token. The wallet shows its
 * fields to few users, so it has to be one of this token for this network's vault relayer.
 * @returns null without one
 */
export const findPermit = (
  funding: components['schemas']['Funding'] | null,
  { token, owner, network }: Subject,
): Permit | null => {
  const step = funding?.steps.find(({ type }) => type === 'permit')
  if (step?.type !== 'permit') return null
  const { domain, message } = step.typedData
  const isOwn =
    domain.chainId === network.chainId &&
    isSame(domain.verifyingContract, token) &&
    isSame(message.owner, owner) &&
    isSame(message.spender, network.vaultRelayer)
  return isOwn ? step.typedData : null
}

/** The token changes an approval above 0 only after one of 0: the approvals of a quote are two then. */
export const needsReset = (funding: components['schemas']['Funding'] | null, token: string): boolean =>
  (funding?.calls ?? []).filter(({ to, data }) => isSame(to, token) && data.startsWith(approveSelector)).length > 1

/** Selector of `approve(address,uint256)`. */
const approveSelector = '0x095ea7b3'

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
